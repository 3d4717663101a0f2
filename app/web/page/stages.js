// The stages in reading order: a card each, or one for each head.

import {evenRange} from '../../figure/html/page/colours.js';
import {byId, elementOf, formulaNodes, whenChanged} from '../../figure/html/page/elements.js';
import {shortestText, withMark} from '../../figure/html/page/numbers.js';
import {labelAndPlace, pairWords, say} from '../../figure/html/page/words.js';
import {HeatMap} from './heat_map.js';
import {longNumber, lookKey, stageView, usesComma} from './looks.js';
import {answerOf, apply, editMatrix, lab, lookAt, onRender, placeOf, shownNumbers, stageNamed, stageNumbers, tell, update, view} from './store.js';

const MOST_TABLE_CELLS = 4000;  // of larger ones, the row of the marked cell
const cards = new Map();

/** "Weights, head 1". */
export function stageTitle(stage, head) {
  return stage.perHead && lab.state.heads.length > 1 ? say('{}, head {}', stage.fullTitle, lab.state.heads[head].number) : stage.fullTitle;
}

/** The cell in words: "it (7) → animal (1)". */
export function cellWords(stage, {row, col}) {
  const from = labelAndPlace(stage.rowLabels[row], row);
  const name = stage.columnLabels[col];
  const to = name === String(col) ? name : labelAndPlace(name, col);
  return stage.keys ? pairWords(from, to) : say('row {}, column {}', from, to);
}

const isMarked = (cell, stage, head) => cell && cell.stage === stage.name && (!stage.perHead || cell.head === head);

/** Frames around what the explained number is made of, and around the row of its query. */
function framesIn(stage, head) {
  const cell = view.cell;
  if (!cell) return [];
  const frames = [];
  const home = stageNamed(cell.stage);
  if (stage.name === cell.stage && (!stage.perHead || head === cell.head)) {
    frames.push({row: cell.row, col: 0, rows: 1, cols: stage.shape[1], kind: 'row'});
  }
  for (const source of sourcesOf(cell)) {
    if (source.matrix !== stage.name || (stage.perHead && source.head !== head)) continue;
    if (stage.name === home.name && source.row === cell.row) continue;
    const last = frames.at(-1);
    if (last?.kind === 'source' && last.row === source.row && last.rows === 1 && last.col + last.cols === source.col) ++last.cols;
    else if (last?.kind === 'source' && last.col === source.col && last.cols === 1 && last.row + last.rows === source.row) ++last.rows;
    else frames.push({row: source.row, col: source.col, rows: 1, cols: 1, kind: 'source'});
  }
  return frames;
}

/** The cells that the arithmetic of a cell reads. */
export function sourcesOf({stage, head, row, col}) {
  const explained = answerOf('explain', {stage, head, row, col});
  if (!explained) return [];
  return explained.lines.flatMap((line) => line.values.map((value) => value.cell).filter(Boolean));
}

/** Types over a number that a stage computes. */
function override(card, cell, first) {
  const {stage, head} = card;
  if (stage.name === 'X' && !stageNamed('embedding')) {
    editMatrix('X', head, cell.row, cell.col);
    return;
  }
  lookAt({stage: stage.name, head, ...cell});
  const value = stageNumbers(stage, head).values[cell.row * stage.shape[1] + cell.col];
  const text = first || withMark(shortestText(value), usesComma());
  card.map.type(cell, text, (typed) => setValue(stage, head, cell, typed));
}

/** Sets a number of a stage by hand to what was typed. */
export function setValue(stage, head, {row, col}, typed) {
  const {value} = lab.engine.request('number', {text: typed});
  if (value === null) tell(say('“{}” is not a number.', typed));
  else apply({do: 'set_override', ...placeOf('stage', stage, head), row, col, value});
}

/** Gives back a number that was set by hand. */
export function resetValue(stage, head, {row, col}) {
  apply({do: 'remove_override', ...placeOf('stage', stage, head), row, col});
}

/** Whether that number was set by hand. */
export function isOverridden(stage, head, {row, col}) {
  return lab.state.overrides.some((one) => one.stage === stage.name && (!stage.perHead || one.head === head) &&
                                          one.row === row && one.col === col);
}

/** One map with its heading. */
class StageCard {
  constructor(stage, head) {
    this.stage = stage;
    this.head = head;
    this.isVisible = true;
    this.width = 0;
    this.element = elementOf('section', '', {class: 'card stage', 'data-stage': stage.name, 'data-head': String(head)});
    this.title = elementOf('h3');
    this.formula = elementOf('span', '', {class: 'formula'});
    this.shape = elementOf('span', '', {class: 'shape'});
    this.table = elementOf('button', '', {type: 'button', class: 'icon', 'aria-pressed': 'false'});
    this.export = elementOf('button', '', {type: 'button', class: 'icon'});
    const heading = elementOf('header');
    heading.append(this.title, this.formula, this.shape, this.table, this.export);
    this.body = elementOf('div', '', {class: 'stage-body'});
    this.map = new HeatMap({
      hover: (cell) => update({hover: cell && {stage: this.stage.name, head: this.head, ...cell}}),
      select: (cell) => {
        lookAt({stage: this.stage.name, head: this.head, ...cell});
        update({panel: view.panel || 'explain'});
        this.element.dispatchEvent(new CustomEvent('lab-cell', {bubbles: true, detail: view.cell}));
        requestAnimationFrame(() => this.map.mark.scrollIntoView({block: 'nearest', inline: 'nearest'}));
      },
      edit: (cell, first) => override(this, cell, first),
      clear: (cell) => resetValue(this.stage, this.head, cell),
    });
    this.twin = elementOf('div', '', {class: 'table-box', tabindex: '0', role: 'region', hidden: ''});
    this.none = elementOf('p', '', {class: 'dim', hidden: ''});
    this.body.append(this.map.element, this.none, this.twin);
    this.element.append(heading, this.body);
    this.table.addEventListener('click', () => {
      if (!view.tables.delete(this.stage.name)) view.tables.add(this.stage.name);
      update({});
    });
    this.export.addEventListener('click', () => {
      this.element.dispatchEvent(new CustomEvent('lab-export', {bubbles: true, detail: {stage: this.stage.name, head: this.head}}));
    });
    seen.observe(this.element);
    sizes.observe(this.body);
  }

  render(stage) {
    this.stage = stage;
    const [rows, cols] = stage.shape;
    const title = stageTitle(stage, this.head);
    whenChanged(this.element, [title, stage.formula, rows, cols, view.language, view.allHeads], () => {
      const names = lab.state.heads.length > 1 && stage.perHead && view.allHeads;
      this.title.textContent = names ? lab.state.heads[this.head].title : stage.title;
      this.title.title = title;
      this.formula.replaceChildren(...(names ? [] : formulaNodes(stage.formula)));
      this.shape.textContent = `${rows}×${cols}`;
      this.element.setAttribute('aria-label', title);
      const label = say('Table of the numbers');
      Object.assign(this.table, {title: label, ariaLabel: `${label}: ${title}`});
      Object.assign(this.export, {title: say('Export…'), ariaLabel: `${say('Export…')} ${title}`});
    });
    const isTable = view.tables.has(stage.name);
    this.table.setAttribute('aria-pressed', String(isTable));
    this.map.element.hidden = isTable;
    this.twin.hidden = !isTable;
    this.none.hidden = true;
    this.none.textContent = say('This map has no other one to be compared with.');
    if (!this.isVisible || this.width === 0) return;
    if (isTable) this.#renderTable(title);
    else this.#renderMap(title);
  }

  #renderMap(title) {
    const {stage, head} = this;
    const numbers = shownNumbers(stage, head);
    const isThere = numbers && (view.side !== 'A' || (numbers.rows === stage.shape[0] && numbers.cols === stage.shape[1]));
    this.map.element.hidden = !isThere;
    this.none.hidden = isThere;
    if (!isThere) return;
    const cell = isMarked(view.cell, stage, head) ? view.cell : null;
    const overrides = lab.state.overrides.filter((one) => one.stage === stage.name && (!stage.perHead || one.head === head));
    const shown = stageView(stage, numbers, {
      ...(view.side === 'difference' ? {palette: 'red-blue', range: evenRange(numbers.values)} : {}),
      marks: overrides.map(({row, col}) => ({kind: 'override', row, col})),
      valueText: numbers.values.length <= 2500 ? undefined : null,
    });
    this.map.draw(shown, this.width, [numbers.version, view.side, lookKey(), title, overrides, lab.state.config.d_v, lab.ranges[stage.name]], {
      label: say('{}, {} rows, {} columns', title, ...stage.shape),
      cell, frames: framesIn(stage, head),
    });
  }

  #renderTable(title) {
    const {stage, head} = this;
    const [rows, cols] = stage.shape;
    const only = rows * cols > MOST_TABLE_CELLS ? view.cell?.row ?? 0 : -1;
    this.twin.setAttribute('aria-label', title);
    whenChanged(this.twin, [lab.stamp, view.side, title, only, view.language], () => {
      const {values} = shownNumbers(stage, head) ?? stageNumbers(stage, head);
      const table = elementOf('table');
      table.append(elementOf('caption', only < 0 ? title : `${title} · ${say('Of so large a map, the row of the marked cell.')}`));
      const line = (name, texts, tag) => {
        const row = elementOf('tr');
        row.append(name === null ? elementOf('td') : elementOf('th', name, {scope: 'row'}),
                   ...texts.map((text) => elementOf(tag, text, tag === 'th' ? {scope: 'col'} : {})));
        return row;
      };
      const head_ = elementOf('thead'), body = elementOf('tbody');
      head_.append(line(null, stage.columnLabels, 'th'));
      for (let row = Math.max(0, only); row < (only < 0 ? rows : only + 1); ++row) {
        body.append(line(stage.rowLabels[row], Array.from(values.subarray(row * cols, (row + 1) * cols), longNumber), 'td'));
      }
      table.append(head_, body);
      this.twin.replaceChildren(table);
    });
  }
}

const cardOf = new WeakMap();

/** Maps out of sight are not painted. */
const seen = new IntersectionObserver((entries) => {
  for (const {target, isIntersecting} of entries) cardOf.get(target).isVisible = isIntersecting;
  update({});
}, {rootMargin: '200px'});

const sizes = new ResizeObserver((entries) => {
  for (const {target, contentRect} of entries) cardOf.get(target.parentElement).width = Math.floor(contentRect.width);
  update({});
});

function cardFor(stage, head) {
  const key = `${stage.name} ${head}`;
  if (!cards.has(key)) {
    const card = new StageCard(stage, head);
    cardOf.set(card.element, card);
    cards.set(key, card);
  }
  return cards.get(key);
}

/** The stages in groups that stand beside each other: [[stage, head], …]. */
function groups() {
  const {stages, heads} = lab.state;
  const list = [];
  let section = -1;
  for (const stage of stages) {
    const isAlone = view.allHeads && stage.perHead && heads.length > 1;
    // X beside Q, K and V, unless positions are added to it.
    const own = stage.name === 'X' && !stageNamed('embedding') ? 1 : stage.section;
    if (own !== section || isAlone || list.at(-1).isAlone) list.push({title: isAlone ? stage : null, isAlone, cards: []});
    section = own;
    const which = isAlone ? heads.map((_, head) => head) : [stage.perHead ? view.head : 0];
    for (const head of which) list.at(-1).cards.push([stage, head]);
  }
  return list;
}

/** How wide a card wants to be beside others. */
function shareOfRow([stage]) {
  if (stage.keys) return [1, 250];
  return [Math.sqrt(Math.min(16, stage.shape[1] + 2)), 190];
}

function renderStages() {
  const list = groups();
  const used = new Set();
  whenChanged(byId('stages'), list.map((group) => [group.title?.title, group.cards.map(([stage, head]) => [stage.name, head, stage.shape[1]])]), () => {
    byId('stages').replaceChildren(...list.map((group) => {
      const row = elementOf('div', '', {class: group.cards.length === 4 && !group.isAlone ? 'stage-row four' : 'stage-row'});
      if (group.title) {
        const heading = elementOf('h3', group.title.title, {class: 'row-title'});
        heading.append(elementOf('span', '', {class: 'formula'}));
        heading.lastChild.replaceChildren(...formulaNodes(group.title.formula));
        row.append(heading);
      }
      for (const one of group.cards) {
        const {element} = cardFor(...one);
        const [grow, basis] = shareOfRow(one);
        Object.assign(element.style, {flexGrow: String(grow), flexBasis: `${basis}px`});
        row.append(element);
      }
      return row;
    }));
  });
  for (const {cards: own} of list) {
    for (const [stage, head] of own) {
      const card = cardFor(stage, head);
      used.add(card);
      card.render(stage);
    }
  }
  for (const [key, card] of cards) {
    if (used.has(card)) continue;
    seen.unobserve(card.element);
    sizes.unobserve(card.body);
    cards.delete(key);
  }
}

onRender(renderStages);
