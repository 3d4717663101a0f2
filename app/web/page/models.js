// Trained models: every layer and head at a glance, what comes next, and what the heads do to it.

import {byId, elementOf, whenChanged} from '../../figure/html/page/elements.js';
import {drawThumbnail} from '../../figure/html/page/map.js';
import {say} from '../../figure/html/page/words.js';
import {files, needModels} from './assets.js';
import {longNumber, lookKey, mapView, shortNumber, tableNamed} from './looks.js';
import {colourOf} from '../../figure/html/page/colours.js';
import {adopt, apply, lab, onRender, stageNamed, tell, touch, update, view} from './store.js';

const SLICE = 12;      // milliseconds of analysis in a frame
const MOST_NEXT = 8;   // of the next token

let tilesBy = 'attention';  // of TILES
let asked = '';
let answer = {};
let gridTiles = [];

/** What colours the tiles: the attention itself, or a number of each head that the engine is asked for. */
const TILES = {
  attention: {want: []}, effect: {want: ['knockOut']}, written: {want: ['direct']}, previous: {want: ['labels']},
  induction: {want: ['labels']}, duplicate: {want: ['labels']}, first: {want: ['labels']},
};

/** Opens a model that the page carries, or a file or folder that it was given. */
export async function openModel(source, text) {
  try {
    await needModels();
    const state = lab.engine.request('open_model', {source, ...(text ? {text} : {})});
    lab.isLesson = lab.isTraining = false;
    const row = state.tokens.length - 1;
    adopt(state);
    update({head: 0, cell: {stage: 'weights', head: 0, row, col: 0}, hover: null, edit: null, trail: [], ahead: [],
            allHeads: false, message: (state.notes ?? []).join(' ')});
    return true;
  } catch (problem) {
    tell(problem.message);
    return false;
  }
}

/** Opens files of a model: one that holds all, or those of its folder. */
export async function openModelFiles(list) {
  for (const file of list) files.set(`/given/model/${file.name}`, new Uint8Array(await file.arrayBuffer()));
  return openModel(list.length === 1 && /\.gguf$/i.test(list[0].name) ? `/given/model/${list[0].name}` : '/given/model');
}

/** The position after which the next token is asked for: that of the marked query. */
function rowNow() {
  const last = lab.state.tokens.length - 1;
  return view.cell && stageNamed(view.cell.stage)?.rowLabels.length === last + 1 ? view.cell.row : last;
}

/** Asks what is shown, a slice of time in each frame, until all is answered. */
function askModel() {
  if (lab.isBusy) return;  // training has the time
  const {predicts} = lab.state.model;
  const want = [...new Set([...(predicts ? ['predictions', 'lens', 'direct'] : []), 'labels', ...TILES[tilesBy].want])];
  const key = JSON.stringify([lab.stamp, rowNow(), want]);
  if (key === asked && !answer.busy) return;
  const isNew = key !== asked;
  asked = key;
  try {
    const given = lab.engine.request('ask', {want, slice: SLICE, ...(predicts ? {row: rowNow()} : {})});
    answer = isNew ? {...answer, ...given} : given;  // what is not known yet stays as it was
  } catch (problem) {
    answer = {problem: problem.message};
  }
  if (answer.busy) touch();
}

/** The number of a head that colours its tile; undefined until it is known. */
function tileNumber(layer, head) {
  if (tilesBy === 'written') return answer.direct?.value?.heads[layer]?.[head];
  if (tilesBy === 'effect') {
    const maps = answer.knockOut?.value;
    return (Array.isArray(maps) ? maps : maps?.maps)?.find(({prefix}) => prefix === '')?.values[layer]?.[head];
  }
  return answer.labels?.value?.find((one) => one.head === `L${layer}H${head}`)?.[tilesBy];
}

const isGain = (name) => lab.state.model.gains.find(({head}) => head === name);

function newGridTile(layer, head) {
  const name = `L${layer.name}H${head}`;
  const button = elementOf('button', '', {type: 'button', class: 'grid-tile', 'data-tile': name});
  button.append(elementOf('canvas', '', {'aria-hidden': 'true'}));
  button.addEventListener('click', () => {
    const row = rowNow();
    adopt(lab.engine.request('layer', {name: layer.name}));
    update({head, cell: {stage: 'weights', head, row, col: view.cell?.col ?? 0}});
  });
  return {button, layer, head, name};
}

/** A tile shows the weights of its head, or a colour. */
function drawTile({button, layer, head, name}, most) {
  const canvas = button.firstChild;
  const gain = isGain(name);
  const isFocused = layer.name === lab.state.model.layer && head === view.head;
  button.setAttribute('aria-pressed', String(isFocused));
  button.classList.toggle('silent', Boolean(gain?.mute));
  const value = tilesBy === 'attention' ? undefined : tileNumber(layer.layer, head);
  const words = value === undefined ? name : `${name}: ${longNumber(value)}`;
  button.setAttribute('aria-label', gain?.mute ? say('{}, muted', words) : words);
  button.title = words;
  if (tilesBy === 'attention') {
    const numbers = lab.engine.modelWeights(layer.sublayer, layer.layer, head);
    if (!numbers) return;
    drawThumbnail(canvas, mapView(numbers, {palette: 'blues', range: [0, 1], rowLabels: [], columnLabels: [], square: true}));
    return;
  }
  Object.assign(canvas, {width: 1, height: 1});
  const context = canvas.getContext('2d');
  const isSigned = tilesBy === 'effect' || tilesBy === 'written';
  const table = tableNamed(isSigned ? 'red-blue' : 'blues');
  context.fillStyle = value === undefined ? 'transparent' : `rgb(${colourOf(table, isSigned ? [-most, most, 'linear', 0] : [0, 1, 'linear', 0], value)})`;
  context.fillRect(0, 0, 1, 1);
}

/** What would be read out after a layer: the likeliest token. */
function lensWords(line) {
  if (!line) return '';
  return `${line.top.text} ${Math.round(100 * line.top.probability)} %`;
}

function renderGrid() {
  const {layers, layer} = lab.state.model;
  const own = layers.filter(({attends}) => attends);
  const columns = Math.max(...own.map(({heads}) => heads));
  const lines = answer.lens?.value?.lines;
  whenChanged(byId('layer-grid'), [own, view.language], () => {
    gridTiles = own.flatMap((one) => Array.from({length: one.heads}, (_, head) => newGridTile(one, head)));
    byId('layer-grid').style.setProperty('--heads', String(columns));
    const nodes = [elementOf('span')];
    for (let head = 0; head < columns; ++head) nodes.push(elementOf('span', `H${head}`, {class: 'dim column'}));
    nodes.push(elementOf('span', lab.state.model.predicts ? say('read out here') : '', {class: 'dim'}));
    for (const one of own) {
      nodes.push(elementOf('span', `L${one.name}`, {class: 'dim row'}));
      for (let head = 0; head < columns; ++head) {
        nodes.push(gridTiles.find((tile) => tile.layer === one && tile.head === head)?.button ?? elementOf('span'));
      }
      nodes.push(elementOf('bdi', '', {class: 'lens', 'data-lens': one.name}));
    }
    byId('layer-grid').replaceChildren(...nodes);
  });
  const key = [lab.stamp, tilesBy, lookKey(), view.head, layer, tilesBy === 'attention' ? 0 : [answer.knockOut, answer.direct, answer.labels]];
  whenChanged(byId('layers-card'), key, () => {
    const most = Math.max(1e-9, ...gridTiles.map((tile) => Math.abs(tileNumber(tile.layer.layer, tile.head) ?? 0)));
    for (const tile of gridTiles) drawTile(tile, most);
  });
  own.forEach((one) => {
    const cell = byId('layer-grid').querySelector(`[data-lens="${one.name}"]`);
    const text = lensWords(lines?.[one.layer + 1] ?? null);
    if (cell.textContent !== text) cell.textContent = text;
  });
}

/** The likeliest tokens as bars. */
function renderNext() {
  const top = answer.predictions?.value?.top;
  const {tokens} = lab.state, row = rowNow();
  byId('next-after').textContent = say('after “{}”', tokens[row]);
  whenChanged(byId('next-bars'), [top, view.language, row], () => {
    byId('next-bars').replaceChildren(...(top ?? []).slice(0, MOST_NEXT).map(({text, probability}) => {
      const item = elementOf('li', '', {class: 'next-bar'});
      const bar = elementOf('span', '', {class: 'bar-box'}), fill = elementOf('span', '', {class: 'fill'});
      fill.style.width = `${100 * probability}%`;
      bar.append(fill);
      const label = elementOf('bdi', text, {class: 'label'});
      item.append(label, bar, elementOf('span', `${shortNumber(100 * probability)} %`, {class: 'number'}));
      return item;
    }));
  });
  byId('go-on').disabled = row !== tokens.length - 1;
}

/** Lets the model write on. */
function goOn() {
  try {
    const sampled = byId('go-on-sampled').checked;
    const {text} = lab.engine.request('go_on', {tokens: 1, ...(sampled ? {temperature: 0.9, seed: Math.floor(Math.random() * 1e9)} : {})});
    if (apply({do: 'set_sentence', text: lab.state.model.text + text}, 'go on')) {
      update({cell: {stage: 'weights', head: view.head, row: lab.state.tokens.length - 1, col: 0}});
    }
  } catch (problem) {
    tell(problem.message);
  }
}

function renderModels() {
  const {model} = lab.state;
  document.body.classList.toggle('on-model', Boolean(model));
  byId('layers-card').hidden = !model;
  byId('next-card').hidden = !model?.predicts;
  if (!model) return;
  askModel();
  renderGrid();
  if (model.predicts) renderNext();
}

byId('tiles-by').addEventListener('change', (event) => {
  tilesBy = event.target.value;
  asked = '';
  touch();
});
document.addEventListener('lab-model', (event) => openModelFiles(event.detail));
byId('go-on').addEventListener('click', goOn);
document.addEventListener('lab-tiles', (event) => {
  if (!TILES[event.detail]) return;
  byId('tiles-by').value = tilesBy = event.detail;
  touch();
});
onRender(renderModels);
