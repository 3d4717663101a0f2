// All heads at a glance: their weights on one scale, with mute, solo and gain.

import {united} from '../../figure/html/page/colours.js';
import {byId, elementOf, moveInGroup, whenChanged} from '../../figure/html/page/elements.js';
import {drawThumbnail} from '../../figure/html/page/map.js';
import {shortestText, withMark} from '../../figure/html/page/numbers.js';
import {isolated, pairWords, say} from '../../figure/html/page/words.js';
import {lookKey, stageView, usesComma} from './looks.js';
import {apply, cancel, commit, lab, onRender, preview, stageNamed, stageNumbers, update, view} from './store.js';

const tiles = [];

const setMix = (head, change) => apply({do: 'set_head_mix', head: head + 1, ...change});

/** The heads' strongest pair in words: "it → animal". */
function strongestPair(head) {
  const stage = stageNamed('weights'), {values, cols} = stageNumbers(stage, head);
  const isAside = (i) => lab.state.kvSentence !== '' || Math.floor(i / cols) !== i % cols;  // not a token and itself
  let best = values.findIndex((_, i) => isAside(i));
  if (best < 0) best = 0;
  for (let i = best; i < values.length; ++i) if (values[i] > values[best] && isAside(i)) best = i;
  return pairWords(isolated(stage.rowLabels[Math.floor(best / cols)]), isolated(stage.columnLabels[best % cols]));
}

function newTile(head) {
  const tile = {element: elementOf('div', '', {class: 'head-tile'})};
  tile.choose = elementOf('button', '', {type: 'button', role: 'radio', class: 'head-choice'});
  tile.title = elementOf('b');
  tile.pair = elementOf('span', '', {class: 'dim pair'});
  tile.canvas = elementOf('canvas', '', {'aria-hidden': 'true'});
  tile.choose.append(tile.title, tile.pair, tile.canvas);
  tile.mute = elementOf('button', '', {type: 'button', class: 'small', 'data-do': 'mute'});
  tile.solo = elementOf('button', '', {type: 'button', class: 'small', 'data-do': 'solo'});
  tile.gain = elementOf('input', '', {type: 'range', min: '-1', max: '2', step: '0.05', 'data-do': 'gain'});
  tile.gainText = elementOf('output', '', {class: 'gain'});
  const mix = elementOf('div', '', {class: 'mix'});
  const gain = elementOf('span', '', {class: 'gain-line'});
  gain.append(tile.gain, tile.gainText);
  mix.append(tile.mute, tile.solo, gain);
  tile.element.append(tile.choose, mix);
  tile.choose.addEventListener('click', () => chooseHead(head));
  tile.mute.addEventListener('click', () => setMix(head, {mute: !lab.state.heads[head].mute}));
  tile.solo.addEventListener('click', () => setMix(head, {solo: !lab.state.heads[head].solo}));
  tile.gain.addEventListener('input', () => preview({do: 'set_head_mix', head: head + 1, scale: Number(tile.gain.value)}));
  tile.gain.addEventListener('change', commit);
  tile.gain.addEventListener('dblclick', () => setMix(head, {scale: 1}));
  tile.gain.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') cancel();
  });
  return tile;
}

/** Looks at a head, and at the same cell in it. */
export function chooseHead(head) {
  if (head >= lab.state.heads.length) return;
  const isOfHead = view.cell && stageNamed(view.cell.stage).perHead;
  update({head, ...(isOfHead ? {cell: {...view.cell, head}} : {})});
}

function renderTile(tile, head, range) {
  const {title, mute, solo, scale, silent} = lab.state.heads[head];
  const isChosen = head === view.head;
  tile.element.classList.toggle('chosen', isChosen);
  tile.element.classList.toggle('silent', silent);
  tile.choose.setAttribute('aria-checked', String(isChosen));
  tile.choose.tabIndex = isChosen ? 0 : -1;
  tile.title.textContent = title;
  const pair = strongestPair(head);
  tile.pair.textContent = silent ? say('muted') : pair;
  tile.choose.setAttribute('aria-label', silent ? say('{}, muted', title) : `${title}, ${pair}`);
  for (const [button, name, on] of [[tile.mute, say('Mute'), mute], [tile.solo, say('Solo'), solo]]) {
    button.textContent = name;
    button.setAttribute('aria-pressed', String(on));
    button.setAttribute('aria-label', `${name}: ${title}`);
  }
  tile.gain.setAttribute('aria-label', say('Gain of {}', title));
  if (document.activeElement !== tile.gain || Number(tile.gain.value) !== scale) tile.gain.value = String(scale);
  tile.gainText.textContent = `× ${withMark(shortestText(scale), usesComma())}`.replace('-', '−');
  const stage = stageNamed('weights'), numbers = stageNumbers(stage, head);
  whenChanged(tile.canvas, [numbers.version, range, lookKey()], () => drawThumbnail(tile.canvas, stageView(stage, {...numbers, range})));
}

function renderHeads() {
  const {heads} = lab.state;
  const card = byId('heads-card');
  const stage = stageNamed('weights');
  whenChanged(card, [lab.stamp, view.head, lookKey(), lab.ranges.weights], () => {
    while (tiles.length < heads.length) {
      tiles.push(newTile(tiles.length));
      byId('heads').append(tiles.at(-1).element);
    }
    while (tiles.length > heads.length) tiles.pop().element.remove();
    const range = lab.ranges.weights ?? heads.map((_, head) => stageNumbers(stage, head).range).reduce(united);
    tiles.forEach((tile, head) => renderTile(tile, head, range));
    byId('heads').style.setProperty('--count', String(heads.length));
    byId('heads-shape').textContent = `${heads.length} × ${stage.shape.join(' × ')}`;
  });
  byId('all-heads').hidden = byId('one-head').hidden = heads.length < 2;
  byId('one-head').setAttribute('aria-pressed', String(!view.allHeads));
  byId('all-heads').setAttribute('aria-pressed', String(view.allHeads));
}

byId('one-head').addEventListener('click', () => update({allHeads: false}));
byId('all-heads').addEventListener('click', () => update({allHeads: true}));
byId('heads').addEventListener('keydown', (event) => {
  const at = tiles.findIndex((tile) => tile.choose === document.activeElement);
  const step = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1}[event.key];
  if (at < 0 || !step) return;
  event.preventDefault();
  const next = (at + step + tiles.length) % tiles.length;
  tiles[next].choose.focus();
  chooseHead(next);
});
onRender(renderHeads);
