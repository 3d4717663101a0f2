// Two states beside each other: what was kept as A, what is edited, B, and how far they differ. And what moves a number.

import {byId, elementOf, whenChanged} from '../../figure/html/page/elements.js';
import {say} from '../../figure/html/page/words.js';
import {shortNumber} from './looks.js';
import {answerOf, editMatrix, lab, lookAt, onRender, refresh, stageNamed, update, view} from './store.js';

const MOST_MOVED = 6;

/** Keeps what is shown as A, or ends the comparison. */
export function toggleComparison() {
  lab.engine.request(view.side ? 'forget' : 'keep');
  update({side: view.side ? '' : 'B'});
  refresh();
}

/** What of a comparison is shown: "A", "B" or "difference"; empty without one. */
function choose(side) {
  update({side});
  refresh();
}

function renderComparison() {
  const isOn = view.side !== '';
  byId('comparison').hidden = !isOn;
  byId('compare').setAttribute('aria-pressed', String(isOn));
  if (!isOn) return;
  const compared = answerOf('compare', {});
  if (!compared?.kept) {
    choose('');
    return;
  }
  for (const button of byId('sides').children) button.setAttribute('aria-pressed', String(button.dataset.side === view.side));
  whenChanged(byId('moved'), [compared.moved, compared.sameWords, view.language], () => {
    const moved = compared.moved.filter(({by}) => by !== 0).slice(0, MOST_MOVED);
    byId('moved').replaceChildren(...moved.map(({stage, head, row, col, title, text}) => {
      const button = elementOf('button', `${title} ${text}`, {type: 'button', class: 'small'});
      button.addEventListener('click', () => lookAt({stage, head, row, col}));
      return button;
    }));
    byId('moved-note').textContent = moved.length > 0 ? say('moved most:') : say('Nothing has changed since A was kept.');
  });
}

let askedCell = '';  // the cell whose movers are shown

/** The numbers that move the explained one most. */
function renderMovers() {
  const cell = view.cell, key = JSON.stringify(cell);
  const isAsked = cell !== null && askedCell === key;
  byId('movers').hidden = !isAsked;
  byId('ask-movers').hidden = isAsked || cell === null || Boolean(lab.state.model);
  if (!isAsked) return;
  const {stage, head, row, col} = cell;
  const moved = answerOf('sensitivity', {stage, head, row, col});
  whenChanged(byId('movers'), [moved, view.language], () => {
    byId('movers-note').textContent = moved?.unmoved || say('How much it changes when one of these grows by 1:');
    byId('mover-list').replaceChildren(...(moved?.numbers ?? []).slice(0, 8).map((one) => {
      const item = elementOf('li');
      const button = elementOf('button', one.title, {type: 'button', class: 'number link'});
      button.addEventListener('click', () => editMatrix(one.matrix, one.head, one.row, one.col));
      item.append(button, elementOf('span', one.text, {class: 'number'}));
      return item;
    }));
  });
}

/** What each head does, in numbers. */
function renderGlance() {
  const measures = answerOf('measures', {})?.heads?.[view.head];
  byId('glance-card').hidden = !measures || !stageNamed('weights');
  if (!measures) return;
  byId('glance-title').textContent = lab.state.heads[view.head].title;
  whenChanged(byId('glance'), [measures, view.language], () => {
    const {entropy, diagonal, previous, first, share} = measures;
    const percent = (value) => `${shortNumber(100 * value)} %`;
    const lines = [[say('Mean entropy'), say('{} nats', shortNumber(entropy))], [say('On the diagonal'), percent(diagonal)],
                   [say('Previous token'), percent(previous)], [say('First token'), percent(first)],
                   [say('If muted, output moves'), percent(share)]];
    byId('glance').replaceChildren(...lines.flatMap(([name, value]) => [elementOf('dt', name), elementOf('dd', value)]));
  });
}

byId('compare').addEventListener('click', toggleComparison);
byId('compare-end').addEventListener('click', toggleComparison);
byId('compare-menu').addEventListener('click', () => {
  byId('menu').close();
  toggleComparison();
});
for (const button of byId('sides').children) button.addEventListener('click', () => choose(button.dataset.side));
byId('ask-movers').addEventListener('click', () => {
  askedCell = JSON.stringify(view.cell);
  update({});
});
onRender(renderComparison);
onRender(renderMovers);
onRender(renderGlance);
