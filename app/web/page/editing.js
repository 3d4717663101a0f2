// Editing a matrix: drag a cell, type a number, paint the mask, fill the whole.

import {byId, elementOf, whenChanged} from '../../figure/html/page/elements.js';
import {shortestText, withMark} from '../../figure/html/page/numbers.js';
import {say} from '../../figure/html/page/words.js';
import {HeatMap} from './heat_map.js';
import {lookKey, mapView, usesComma} from './looks.js';
import {answerOf, apply, cancel, commit, lab, matrixNamed, matrixNumbers, onRender, placeOf, preview, tell, update, view} from './store.js';

const FIRST = ['X', 'W_Q', 'W_K', 'W_V', 'W_O'];  // as buttons; the others in a list

/** What a matrix is for. */
const MEANINGS = {
  X: {meaning: 'embeddings'}, X_kv: {meaning: 'embeddings of the keys'}, W_Q: {meaning: 'query projection'},
  W_K: {meaning: 'key projection'}, W_V: {meaning: 'value projection'}, W_O: {meaning: 'output projection'},
  mask: {meaning: 'which keys a query sees'}, score_bias: {meaning: 'added to the scaled scores'},
};

const matrixNow = () => matrixNamed(view.matrix);
const valueAtCell = ({row, col}) => {
  const {values, cols} = matrixNumbers(matrixNow(), view.head);
  return values[row * cols + col];
};
const isMask = () => view.matrix === 'mask';

let dragged = null;  // {start, cells, value} while something is dragged

/** The command that sets cells of the matrix, [{row, col, value}]. */
function settingCells(cells) {
  const place = placeOf('matrix', matrixNow(), view.head);
  if (cells.length === 1) return {do: 'set_cell', ...place, ...cells[0]};
  return {do: 'set_blocks', blocks: cells.map(({row, col, value}) => ({...place, row, col, values: [[value]]}))};
}

function drag(cell, phase, by) {
  if (phase === 'begin') {
    dragged = {first: cell, start: valueAtCell(cell), value: isMask() ? 1 - valueAtCell(cell) : 0, cells: []};
    update({edit: cell});
    if (isMask()) paint(cell);
  } else if (phase === 'move' && dragged) {
    if (isMask()) paint(cell);
    else preview(settingCells([{...dragged.first, value: Number((dragged.start + by).toFixed(by % 1 ? 2 : 6))}]));
  } else if (phase === 'end') {
    dragged = null;
    commit();
  } else {
    dragged = null;
    cancel();
  }
}

/** Adds a cell to those that a stroke over the mask has painted. */
function paint(cell) {
  if (dragged.cells.some(({row, col}) => row === cell.row && col === cell.col)) return;
  dragged.cells.push({...cell, value: dragged.value});
  preview(settingCells(dragged.cells));
}

function typeInto(cell, first) {
  if (isMask()) {
    apply(settingCells([{...cell, value: 1 - valueAtCell(cell)}]));
    return;
  }
  update({edit: cell});
  map.type(cell, first || withMark(shortestText(valueAtCell(cell)), usesComma()), (typed, key) => {
    const {value} = lab.engine.request('number', {text: typed});
    if (value === null) tell(say('“{}” is not a number.', typed));
    else if (value === valueAtCell(cell) || apply(settingCells([{...cell, value}]))) moveOn(cell, key);
  });
}

/** After Enter the cell below, after Tab the one at the right, as in a spreadsheet. */
function moveOn({row, col}, key) {
  const [rows, cols] = matrixNow().shape;
  if (key === 'Enter') update({edit: {row: Math.min(rows - 1, row + 1), col}});
  if (key === 'Tab') update({edit: {row, col: Math.min(cols - 1, col + 1)}});
}

const actions = {
  types: true,
  get paints() {
    return isMask();
  },
  select: (cell) => {
    if (isMask() && view.edit?.row === cell.row && view.edit?.col === cell.col && isPointer) typeInto(cell, '');
    update({edit: cell});
  },
  edit: typeInto,
  clear: (cell) => apply(settingCells([{...cell, value: 0}])),
  drag,
};
let isPointer = false;
let width = 0;  // of the panel

const map = new HeatMap(actions);
map.element.addEventListener('pointerdown', () => isPointer = true, {capture: true});
map.element.addEventListener('keydown', () => isPointer = false, {capture: true});
byId('edit-map').append(map.element);

/** The tabs and the list of the other matrices. */
function renderTabs() {
  const names = lab.state.matrices.map(({name}) => name);
  whenChanged(byId('matrix-tabs'), [names, view.language], () => {
    const buttons = names.filter((name) => FIRST.includes(name)).map((name) => {
      const button = elementOf('button', name, {type: 'button', role: 'radio', 'data-matrix': name});
      button.addEventListener('click', () => update({matrix: name, edit: null}));
      return button;
    });
    byId('matrix-tabs').replaceChildren(...buttons);
    const rest = names.filter((name) => !FIRST.includes(name));
    const title = elementOf('option', say('More##matrices'), {value: ''});
    byId('matrix-list').replaceChildren(title, ...rest.map((name) => elementOf('option', name, {value: name})));
  });
  for (const button of byId('matrix-tabs').children) {
    const isOn = button.dataset.matrix === view.matrix;
    button.setAttribute('aria-checked', String(isOn));
    button.tabIndex = isOn || (FIRST.indexOf(view.matrix) < 0 && button === byId('matrix-tabs').firstChild) ? 0 : -1;
  }
  const list = byId('matrix-list');
  list.value = FIRST.includes(view.matrix) ? '' : view.matrix;
  list.classList.toggle('chosen', list.value !== '');
}

function renderEditing() {
  renderTabs();
  const matrix = matrixNow(), numbers = matrixNumbers(matrix, view.head);
  const labels = answerOf('matrix', {matrix: matrix.name});
  const meaning = MEANINGS[matrix.name] ? say(MEANINGS[matrix.name].meaning) : '';
  const parts = [matrix.perHead && lab.state.heads.length > 1 ? lab.state.heads[view.head].title : '', meaning, matrix.shape.join(' × ')];
  const title = parts.filter(Boolean).join(' · ');
  byId('matrix-title').textContent = title;
  byId('edit-hint').textContent = isMask() ? say('paint cells, or press Enter') : say('drag a cell, or type a number');
  if (width === 0 || !numbers || !labels) return;
  const shown = mapView(numbers, {
    palette: isMask() ? 'blues' : 'red-blue',
    range: isMask() ? [0, 1.6] : numbers.range,
    rowLabels: labels.rowLabels, columnLabels: labels.columnLabels,
    square: isMask() || matrix.name === 'score_bias',
    valueText: isMask() ? (value) => (value === 0 ? '×' : '') : undefined,
    valuesIfRoom: isMask(),
    tallest: 30,
  });
  map.draw(shown, width, [numbers.version, lookKey(), view.matrix, view.head], {
    label: say('{}, {} rows, {} columns', `${matrix.name}, ${title}`, ...matrix.shape),
    cell: view.edit, hasBar: false,
  });
  for (const button of byId('fills').children) button.hidden = isMask() !== button.hasAttribute('data-mask');
}

function fill(how) {
  const place = placeOf('matrix', matrixNow(), view.head);
  if (how === 'allow' || how === 'forbid') apply({do: 'fill_mask', allowed: how === 'allow'});
  else apply({do: 'fill_matrix', ...place, fill: how, seed: how === 'zero' || how === 'identity' ? 0 : Math.floor(Math.random() * 1e6)});
}

byId('matrix-tabs').addEventListener('keydown', (event) => {
  const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  const buttons = [...byId('matrix-tabs').children];
  const at = buttons.indexOf(document.activeElement);
  if (!step || at < 0) return;
  event.preventDefault();
  const next = buttons[(at + step + buttons.length) % buttons.length];
  next.focus();
  next.click();
});
byId('matrix-list').addEventListener('change', () => {
  const {value} = byId('matrix-list');
  if (value) update({matrix: value, edit: null});
});
for (const button of byId('fills').children) button.addEventListener('click', () => fill(button.dataset.fill));
new ResizeObserver(([entry]) => {
  width = Math.floor(entry.contentRect.width);
  update({});
}).observe(byId('edit-map'));
onRender(renderEditing);
