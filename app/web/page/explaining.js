// The arithmetic of a number, in which each number is a link, and its row as bars.

import {byId, elementOf, whenChanged} from '../../figure/html/page/elements.js';
import {shortestText, withMark} from '../../figure/html/page/numbers.js';
import {say} from '../../figure/html/page/words.js';
import {shortNumber, usesComma} from './looks.js';
import {cellWords, isOverridden, resetValue, setValue, stageTitle} from './stages.js';
import {answerOf, editMatrix, lab, lookAt, onRender, stageNamed, stageNumbers, stepTrail, tell, view} from './store.js';

const MOST_BARS = 64;
const MOST_NUMBERS = 48;  // of a line, before it is cut

/** Goes to a cell of a stage, or of a matrix. */
function goTo({matrix, head, row, col}) {
  if (stageNamed(matrix)) lookAt({stage: matrix, head, row, col});
  else editMatrix(matrix, head, row, col);
}

/** A number that leads to its cell, or the number alone. */
function numberNode(text, cell) {
  if (!cell) return elementOf('span', text, {class: 'number'});
  const link = elementOf('button', text, {type: 'button', class: 'number link', title: `${cell.matrix}[${cell.row}, ${cell.col}]`});
  link.addEventListener('click', () => goTo(cell));
  return link;
}

/** "bias 0.50" within words, as a link. */
function wordNodes(text, mentions) {
  const nodes = [];
  let rest = text;
  for (const mention of mentions) {
    const at = rest.indexOf(mention.text);
    if (at < 0) continue;
    nodes.push(rest.slice(0, at), numberNode(mention.text, mention.cell));
    rest = rest.slice(at + mention.text.length);
  }
  return [...nodes, rest];
}

function lineNode(line) {
  const node = elementOf('li');
  node.append(elementOf('span', line.name, {class: 'name'}), ' = ');
  if (line.before) node.append(`${line.before} `);
  line.values.slice(0, MOST_NUMBERS).forEach(({text, cell}) => node.append(numberNode(text, cell), ' '));
  if (line.values.length > MOST_NUMBERS) node.append(`… ${say('({} in all)', line.values.length)}`);
  if (line.result) node.append(elementOf('b', '', {class: 'result'}));
  if (line.result) node.lastChild.append(numberNode(line.result, line.source));
  if (line.after) {
    const after = elementOf('span', '', {class: 'dim'});
    after.append(' ', ...wordNodes(line.after, line.mentions));
    node.append(after);
  }
  return node;
}

function renderExplanation() {
  const cell = view.cell;
  byId('explain-empty').hidden = Boolean(cell);
  byId('explain-body').hidden = !cell;
  byId('trail-back').disabled = view.trail.length === 0;
  byId('trail-ahead').disabled = view.ahead.length === 0;
  if (!cell) return;
  whenChanged(byId('explain-body'), [lab.stamp, cell, view.language], () => {
    const {stage, head, row, col} = cell;
    const explained = answerOf('explain', {stage, head, row, col});
    const own = stageNamed(stage);
    const value = stageNumbers(own, head).values[row * own.shape[1] + col];
    byId('explain-title').replaceChildren(`${explained?.title ?? stage} `, elementOf('b', `= ${explained?.value ?? shortNumber(value)}`));
    byId('explain-meaning').textContent = explained?.meaning ?? '';
    byId('explain-lines').replaceChildren(...(explained?.lines ?? []).map(lineNode));
    const isByHand = isOverridden(own, head, cell);
    byId('explain-by-hand').hidden = byId('explain-reset').hidden = !isByHand;
    const input = byId('explain-value');
    if (document.activeElement !== input) input.value = withMark(shortestText(value), usesComma());
    byId('explain-set').hidden = own.name === 'X' && !stageNamed('embedding');
  });
}

/** A bar of a value: to the right of a middle line, or to the left. */
function barNode(stage, row, col, value, most, isSigned) {
  const item = elementOf('li', '', {class: col === view.cell.col ? 'chosen' : ''});
  const button = elementOf('button', '', {type: 'button'});
  const bar = elementOf('span', '', {class: 'bar-box'}), fill = elementOf('span', '', {class: value < 0 ? 'fill negative' : 'fill'});
  const share = Number.isFinite(value) && most > 0 ? Math.abs(value) / most : 0;
  fill.style.width = `${(isSigned ? 50 : 100) * share}%`;
  if (isSigned) fill.style.marginLeft = value < 0 ? `${50 - 50 * share}%` : '50%';
  bar.append(fill);
  button.append(elementOf('span', stage.columnLabels[col], {class: 'label'}), bar, elementOf('span', shortNumber(value), {class: 'number'}));
  button.addEventListener('click', () => lookAt({...view.cell, col}));
  item.append(button);
  return item;
}

function renderRow() {
  const cell = view.cell;
  byId('row-card').hidden = !cell;
  if (!cell) return;
  whenChanged(byId('row-bars'), [lab.stamp, cell, view.language], () => {
    const stage = stageNamed(cell.stage);
    const {values, cols} = stageNumbers(stage, cell.head);
    const row = values.subarray(cell.row * cols, (cell.row + 1) * cols);
    const finite = [...row].filter(Number.isFinite);
    const most = Math.max(...finite.map(Math.abs), 0), isSigned = finite.some((value) => value < 0);
    byId('row-title').textContent = say('Row “{}”', stage.rowLabels[cell.row]);
    byId('row-note').textContent = stage.name === 'weights' ? say('sums to {}', shortNumber(finite.reduce((sum, value) => sum + value, 0))) : stage.title;
    const first = cols <= MOST_BARS ? 0 : Math.min(cols - MOST_BARS, Math.max(0, cell.col - MOST_BARS / 2));
    const bars = Array.from({length: Math.min(cols, MOST_BARS)}, (_, i) => barNode(stage, cell.row, first + i, row[first + i], most, isSigned));
    byId('row-bars').replaceChildren(...bars);
  });
}

/** What is under the pointer, for the line at the bottom, and what is marked, for a screen reader. */
function renderWords() {
  const cell = view.hover ?? view.cell;
  const words = ({stage, head, row, col}) => {
    const own = stageNamed(stage);
    return `${stageTitle(own, head)} · ${cellWords(own, {row, col})} · ${shortNumber(stageNumbers(own, head).values[row * own.shape[1] + col])}`;
  };
  byId('status-cell').textContent = cell ? words(cell) : '';
  const spoken = view.cell ? words(view.cell) : '';
  if (byId('live').textContent !== spoken) byId('live').textContent = spoken;
}

const setByHand = () => {
  const {stage, head, row, col} = view.cell;
  setValue(stageNamed(stage), head, {row, col}, byId('explain-value').value);
};
byId('explain-set').addEventListener('submit', (event) => {
  event.preventDefault();
  setByHand();
});
byId('explain-reset').addEventListener('click', () => resetValue(stageNamed(view.cell.stage), view.cell.head, view.cell));
byId('trail-back').addEventListener('click', () => stepTrail('trail', 'ahead'));
byId('trail-ahead').addEventListener('click', () => stepTrail('ahead', 'trail'));
byId('message-close').addEventListener('click', () => tell(''));
onRender(renderExplanation);
onRender(renderRow);
onRender(renderWords);
