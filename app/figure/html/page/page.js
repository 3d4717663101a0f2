
// The page: one state, one render function; what happens changes the state, and render shows it.

const jsonOf = (id) => JSON.parse(byId(id).textContent);
const data = jsonOf('attention-lab-data');
const numbers = jsonOf('attention-lab-numbers');
useWords(data.words);

const MOST_TABLE_CELLS = 10000;  // larger maps show the row of the marked cell alone
const DETAIL_DECIMALS = 4;       // of a single number that is pointed at
const darkScheme = matchMedia('(prefers-color-scheme: dark)');

const state = {
  stage: data.first.stage,
  head: data.first.head,
  cell: data.first.cell ?? null,  // {row, col}: clicked, or reached by keys
  hover: null,    // {row, col}: under the mouse
  palette: data.look.palette,
  rule: data.look.rule,
  spread: data.look.spread,
  values: data.look.values,
  against: data.first.against,  // what is compared with: "" for nothing, "A", a head from 0
  part: 'difference',           // … and which of PARTS is shown
  marks: true,
  zoom: 1,
  theme: data.look.theme,
  printing: false,
};

let isQueued = false;

/** Changes the state; the page follows with the next frame. */
function update(changes) {
  Object.assign(state, changes);
  if (isQueued) return;
  isQueued = true;
  requestAnimationFrame(() => {
    isQueued = false;
    render();
  });
}

// What the state means

const stageNow = () => data.stages[state.stage];
const cellNow = () => state.hover ?? state.cell;
const isDark = () => !state.printing && (state.theme === 'dark' || (state.theme === 'automatic' && darkScheme.matches));
const density = () => Math.min(4, (window.devicePixelRatio || 1) * (state.printing ? 3 : 1));

const valuesOf = remembered((index) => decodeFloats(numbers[index].values));
const tableOf = remembered((hex) => paletteTable(hex));
const countLabels = remembered((count) => Array.from({length: count}, (_, i) => String(i)));

const shownNow = () => shownOf(stageNow(), state.head, state.part);

/** The labels of a stage's rows or columns: tokens, names of dimensions, or their numbers. */
const labelsOf = (labels, kind, count) => labels[kind] ?? countLabels(count);
const rowLabelsOf = (stage, labels) => labelsOf(labels, stage.rowLabels, stage.shape[0]);
const columnLabelsOf = (stage, labels) => labelsOf(labels, stage.columnLabels, stage.shape[1]);

/** "it (7)"; a bare number where there are no names. */
const placeName = (names, kind, labels, i) => names[kind] ? labelAndPlace(labels[i], i) : String(i);

/** "Head 1", or its name alone where heads have names, such as "L0H3". */
const headTitle = (head) => data.headNames[head] ?? say('Head {}', head + 1);

/** The same within a sentence. */
const headWords = (head) => data.headNames[head] ?? say('head {}', head + 1);

/** What tells heads apart: their number, or their name. */
const headNumber = (head) => data.headNames[head] ?? String(head + 1);

/** "Weights, head 1, B − A". */
function mapTitle(stage) {
  const isOfState = state.against === 'A' || shownNow().name === '';
  const isNamed = isOfState && stage.perHead && data.heads > 1;
  const title = isNamed ? say('{}, head {}', stage.fullTitle, headNumber(state.head)) : stage.fullTitle;
  const name = shownNow().inTitle;
  return title + (name && `, ${name}`);
}

const paletteName = (stage) => state.palette || stage.palette;

/** The colours of the stage in the theme of now. */
function paletteOf(stage) {
  const palette = data.palettes[paletteName(stage)];
  return tableOf(isDark() && palette.dark ? palette.dark : palette.light);
}

/** A value as `write` puts it into text, with the signs and marks of the page. */
function numberText(write, value, digits) {
  return shownNumber(write(value, digits), data.look.comma);
}

/** A value as it is written into a cell. */
function cellText(value) {
  const {significant, exact, decimals} = data.look;
  return numberText(significant ? significantText : exact ? fixedText : adaptiveText, value, decimals);
}

/** The inks of the theme, as the style sheet has them; on paper those of the light one. */
function inks() {
  if (state.printing) {
    return {text: '#1b1f24', dim: '#5a6675', line: '#d5dae1', card: '#ffffff', mark: '#a84c00', pin: '#2f6fdf',
            selected: '#e8740c', override: '#e8740c'};
  }
  const style = getComputedStyle(document.documentElement);
  const ink = (name) => style.getPropertyValue(`--${name}`).trim();
  return {text: ink('text'), dim: ink('dim'), line: ink('line'), card: ink('card'), mark: ink('mark-text'),
          pin: ink('accent'), selected: ink('mark'), override: ink('mark')};
}

/** What map.js paints for a head of a stage. */
function viewOf(stage, head, part) {
  const special = data.special[isDark() ? 'dark' : 'light'];
  const shown = shownOf(stage, head, part);
  return {
    values: shown.values,
    rows: stage.shape[0],
    cols: stage.shape[1],
    square: stage.columnLabels === 'keys',
    block: stage.block,
    rowLabels: rowLabelsOf(stage, shown.labels),
    columnLabels: columnLabelsOf(stage, shown.labels),
    numberColumns: !data.labels[stage.columnLabels],
    captions: stage.columnLabels === 'keys' ? {row: say('query##axis'), column: say('key##axis')} : {},
    table: shown.table,
    range: [...shown.range, state.spread, shown.zero ?? 0],
    marks: state.marks ? shown.marks : [],
    fill: channelsOf(special.fill),
    hatch: channelsOf(special.ink),
    ink: inks(),
    valueText: state.values ? cellText : null,
    zoom: state.printing ? 1 : state.zoom,
  };
}

/** What marks of a cell mean, in the order in which they are painted. */
const MARK_NAMES = {override: say('set by hand'), pin: say('pinned'), selected: say('selected')};

/** The marked cell in words, and its value; nothing when no cell is marked. */
function cellWords() {
  const cell = cellNow();
  if (!cell) return null;
  const stage = stageNow();
  const {values, labels, marks} = shownNow();
  const value = values[cell.row * stage.shape[1] + cell.col];
  const row = placeName(labels, stage.rowLabels, rowLabelsOf(stage, labels), cell.row);
  const column = placeName(labels, stage.columnLabels, columnLabelsOf(stage, labels), cell.col);
  const isPair = stage.columnLabels === 'keys';
  const own = marks.filter((mark) => mark.row === cell.row && mark.col === cell.col);
  return {
    value,
    number: numberText(adaptiveText, value, DETAIL_DECIMALS),
    place: isPair ? pairWords(row, column) : say('row {}, column {}', row, column),
    spoken: say('row {} · column {}', row, column),
    map: mapTitle(stage),
    marks: own.map((mark) => ` · ${MARK_NAMES[mark.kind]}`).join(''),
  };
}

// Rendering

/** Everything that the colours of the maps hang on. */
const lookKey = () =>
    [state.stage, state.palette, state.rule, state.spread, isDark(), state.printing, state.against, state.part, state.marks];

/** Shows the state. */
function render() {
  document.documentElement.dataset.theme = state.printing ? 'light' : state.theme;
  keepCellInside();
  renderTitle();
  renderChoice(byId('stages'), 'aria-selected', state.stage);
  renderHeads();
  renderSides();
  renderMap();
  renderMark();
  renderBar();
  renderLegend();
  renderTable();
  renderTip();
}

/** Another stage may have fewer rows or columns. */
function keepCellInside() {
  const [rows, cols] = stageNow().shape;
  const inside = (cell) => cell && {row: Math.min(cell.row, rows - 1), col: Math.min(cell.col, cols - 1)};
  state.cell = inside(state.cell);
  state.hover = inside(state.hover);
}

function renderTitle() {
  const stage = stageNow();
  byId('map-title').textContent = mapTitle(stage);
  byId('shape').textContent = `${stage.shape[0]}×${stage.shape[1]}`;
  byId('map').setAttribute('aria-label', say('{}, {} rows, {} columns', mapTitle(stage), ...stage.shape));
  byId('formula').replaceChildren(...formulaNodes(stage.formula));
  for (const [id, hidden] of [['figure-light', isDark()], ['figure-dark', !isDark()]]) {
    if (byId(id)) byId(id).hidden = hidden;
  }
}

function renderHeads() {
  const stage = stageNow();
  const card = byId('heads-card');
  card.hidden = data.heads < 2 || !stage.perHead;
  if (card.hidden) return;
  renderChoice(byId('heads'), 'aria-checked', state.head);
  whenChanged(card, [lookKey(), state.against !== 'A' && state.head], () => {
    [...byId('heads').children].forEach((button, head) => {
      // Heads that are compared are shown themselves, not what they are less another one.
      drawThumbnail(button.querySelector('canvas'), viewOf(stage, head, state.against === 'A' ? state.part : 'first'));
    });
  });
}

/** The two that are compared and their difference, to choose which one is large. */
function renderSides() {
  const stage = stageNow();
  const sides = sidesOf(stage, state.head);
  byId('sides').hidden = !sides;
  byId('sides-note').hidden = state.against === '' || sides !== null;
  if (!sides) return;
  renderChoice(byId('sides'), 'aria-checked', PARTS.indexOf(state.part));
  whenChanged(byId('sides'), [lookKey(), state.head], () => {
    [...byId('sides').children].forEach((button, i) => {
      button.querySelector('span').textContent = sides[PARTS[i]].name ?? sides[PARTS[i]];
      drawThumbnail(button.querySelector('canvas'), viewOf(stage, state.head, PARTS[i]));
    });
  });
}

let view = null;
let places = null;

/** The width that the map may take. */
const mapWidth = () => state.printing ? 660 : byId('scroller').clientWidth - 8;

function renderMap() {
  const key = [lookKey(), state.head, state.values, state.zoom, mapWidth(), density()];
  whenChanged(byId('cells'), key, () => {
    view = viewOf(stageNow(), state.head, state.part);
    places = layoutMap(view, mapWidth());
    drawCells(byId('cell-canvas'), view, places, density());
    byId('values-note').hidden = !state.values || places.hasValues;
  });
  const cell = cellNow();
  whenChanged(byId('row-labels'), [key, cell?.row], () => {
    drawRowLabels(byId('row-labels'), view, places, density(), cell?.row ?? -1);
  });
  whenChanged(byId('column-labels'), [key, cell?.col], () => {
    drawColumnLabels(byId('column-labels'), view, places, density(), cell?.col ?? -1);
  });
}

function renderMark() {
  const cell = cellNow();
  byId('cell-mark').hidden = byId('row-mark').hidden = !cell;
  if (!cell) return;
  const {width, height} = places.cell;
  putAt(byId('cell-mark'), {left: cell.col * width, top: cell.row * height, width, height});
  putAt(byId('row-mark'), {left: 0, top: cell.row * height, width: places.width, height});
}

function renderBar() {
  whenChanged(byId('bar'), [lookKey(), state.head], () => {
    drawBar(byId('bar-canvas'), view.table);
    const ticks = [0, 0.5, 1].map((share) => numberText(significantText, valueAt(view.range, share), 3));
    byId('bar-ticks').replaceChildren(...ticks.map((tick) => elementOf('span', tick)));
    byId('bar').setAttribute('aria-label', say('Colours from {} to {}', ticks[0], ticks[2]));
  });
  const words = cellWords();
  const mark = byId('bar-mark');
  mark.hidden = !words || Number.isNaN(words.value) || words.value === -Infinity;
  if (!mark.hidden) mark.style.left = `${100 * shareOf(view.range, words.value)}%`;
}

function renderLegend() {
  whenChanged(byId('legend'), [lookKey(), state.head], () => {
    const entries = [[-Infinity, say('−∞, masked')], [NaN, say('NaN, not a number')]];
    const present = entries.filter(([value]) => view.values.some((own) => Object.is(own, value)));
    const kinds = Object.keys(MARK_NAMES).filter((kind) => view.marks.some((mark) => mark.kind === kind));
    byId('legend').replaceChildren(...present.map(([value, text]) => legendEntry(text, value, [])),
                                   ...kinds.map((kind) => legendEntry(MARK_NAMES[kind], 0, [{kind, row: 0, col: 0}])));
    byId('legend').hidden = byId('legend').children.length === 0;
  });
}

function legendEntry(text, value, marks) {
  const entry = elementOf('li');
  const canvas = elementOf('canvas', '', {'aria-hidden': 'true'});
  drawSample(canvas, view, value, marks, density());
  entry.append(canvas, text);
  return entry;
}

// The table

/** A heading: the label, and the position where it is not the label itself. */
function headingOf(kind, labels, i, scope) {
  const heading = elementOf('th', '', {scope});
  heading.append(elementOf('bdi', labels[i]));
  if (data.labels[kind]) heading.append(elementOf('small', String(i)));
  return heading;
}

function tableRow(stage, row, kind) {
  const line = elementOf('tr');
  line.append(headingOf(kind, view.rowLabels, row, 'row'));
  for (let col = 0; col < stage.shape[1]; ++col) {
    const text = adaptiveText(view.values[row * stage.shape[1] + col], DETAIL_DECIMALS);
    line.append(elementOf('td', withMark(text, data.look.comma)));
  }
  return line;
}

function renderTable() {
  if (!byId('numbers').open) return;
  const stage = stageNow();
  const [rows, cols] = stage.shape;
  const isWhole = rows * cols <= MOST_TABLE_CELLS;
  const only = isWhole ? null : state.cell?.row ?? 0;
  byId('table-note').textContent = isWhole ? '' : say('Of so large a map, the row of the marked cell.');
  whenChanged(byId('table'), [state.stage, state.head, state.against, state.part, only], () => {
    const head = elementOf('thead');
    head.append(elementOf('tr'));
    head.firstChild.append(elementOf('td'));
    for (let col = 0; col < cols; ++col) {
      head.firstChild.append(headingOf(stage.columnLabels, view.columnLabels, col, 'col'));
    }
    const body = elementOf('tbody');
    const which = isWhole ? countLabels(rows).keys() : [only];
    for (const row of which) body.append(tableRow(stage, row, stage.rowLabels));
    byId('table').replaceChildren(elementOf('caption', mapTitle(stage)), head, body);
  });
}

// The note beside the marked cell

function renderTip() {
  const words = cellWords();
  const tip = byId('tip');
  const hasFocus = document.activeElement === byId('map');
  tip.hidden = !words || state.printing || !(state.hover || hasFocus);
  if (!tip.hidden) {
    const exact = numberText(shortestText, words.value);
    const line = words.map + (exact === words.number ? '' : ` · ${say('exactly {}', exact)}`) + words.marks;
    tip.replaceChildren(elementOf('b', words.number), elementOf('div', words.place), elementOf('div', line));
    placeTip(tip);
  }
  const spoken = words && !state.hover ? `${words.map} · ${words.spoken} · ${words.number}${words.marks}` : '';
  if (byId('live').textContent !== spoken) byId('live').textContent = spoken;
}

/** Right below the cell, or where there is room for it. */
function placeTip(tip) {
  const cell = byId('cell-mark').getBoundingClientRect();
  const {width, height} = tip.getBoundingClientRect();
  const right = document.documentElement.clientWidth;
  let left = cell.right + 10;
  if (left + width > right - 6) left = Math.max(6, cell.left - width - 10);
  let top = cell.bottom + 8;
  if (top + height > window.innerHeight - 6) top = Math.max(6, cell.top - height - 8);
  putAt(tip, {left, top});
}
