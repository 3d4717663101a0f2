
// What the reader does. Each handler changes the state, and nothing else but where the focus is.

/** The cell under the pointer, or null. */
function cellAt(event) {
  const box = byId('cell-canvas').getBoundingClientRect();
  const [rows, cols] = stageNow().shape;
  const at = (place, length, count) => Math.min(count - 1, Math.floor(place / length * count));
  const row = at(event.clientY - box.top, box.height, rows);
  const col = at(event.clientX - box.left, box.width, cols);
  return row < 0 || col < 0 ? null : {row, col};
}

/** Keys in the map. */
function moveInMap(event) {
  if (event.altKey || event.metaKey) return;
  if (event.key === 'Escape') update({cell: null, hover: null});
  const heads = event.shiftKey && data.layerHeads || 1;  // Shift: the same head of another layer
  const step = {PageUp: -heads, PageDown: heads}[event.key];
  if (step && stageNow().perHead) update({head: around(state.head, step, data.heads)});
  const next = cellAfter(cellNow() ?? {row: 0, col: 0}, event.key, event.ctrlKey, stageNow().shape);
  if (next) {
    update({cell: next, hover: null});
    requestAnimationFrame(() => byId('cell-mark').scrollIntoView({block: 'nearest', inline: 'nearest'}));
  }
  if (next || step) event.preventDefault();
}

function buildStages() {
  const choose = (stage) => update({stage, hover: null});
  const buttons = data.stages.map((stage, i) => {
    const button = elementOf('button', stage.title, {type: 'button', role: 'tab', 'aria-controls': 'panel'});
    button.dataset.stage = stage.name;
    button.addEventListener('click', () => choose(i));
    return button;
  });
  byId('stages').replaceChildren(...buttons);
  moveInGroup(byId('stages'), choose);
}

function buildHeads() {
  const choose = (head) => update({head, hover: null});
  const buttons = Array.from({length: data.heads}, (_, head) => {
    const button = elementOf('button', data.layerHeads ? '' : headTitle(head), {type: 'button', role: 'radio'});
    if (data.layerHeads) nameInGrid(button, head);
    button.append(elementOf('canvas', '', {'aria-hidden': 'true'}));
    button.addEventListener('click', () => choose(head));
    return button;
  });
  byId('heads').replaceChildren(...buttons);
  moveInGroup(byId('heads'), choose, data.layerHeads || 1);
  if (data.layerHeads) buildGridTitles();
}

/** In a grid of layers and heads a button has no text of its own. */
function nameInGrid(button, head) {
  const isMuted = data.muted.includes(head);
  const name = isMuted ? say('{}, muted', headTitle(head)) : headTitle(head);
  button.setAttribute('aria-label', name);
  button.title = name;
  button.classList.toggle('muted', isMuted);
}

/** "L0", "L1", … left of the grid, "H0", "H1", … above it. */
function buildGridTitles() {
  const layers = data.heads / data.layerHeads;
  const titles = (letter, count) => Array.from({length: count}, (_, i) => elementOf('span', letter + i));
  byId('head-columns').replaceChildren(...titles('H', data.layerHeads));
  byId('head-rows').replaceChildren(...titles('L', layers));
  document.documentElement.classList.add('layers');
  document.documentElement.style.setProperty('--layer-heads', data.layerHeads);
}

function buildSides() {
  const choose = (part) => update({part: PARTS[part], hover: null});
  const buttons = PARTS.map((_, part) => {
    const button = elementOf('button', '', {type: 'button', role: 'radio'});
    button.append(elementOf('span'), elementOf('canvas', '', {'aria-hidden': 'true'}));
    button.addEventListener('click', () => choose(part));
    return button;
  });
  byId('sides').replaceChildren(...buttons);
  moveInGroup(byId('sides'), choose);
}

/** What maps can be compared with: the kept state, and heads where there are several. */
function comparisons() {
  const heads = data.heads > 1 ? Array.from({length: data.heads}, (_, head) => [String(head), headTitle(head)]) : [];
  return [['', say('Nothing')], ...(data.keptLabels ? [['A', say('State A')]] : []), ...heads];
}

/** Ties a control to a member of the state. */
function bind(id, member, property, read = (value) => value) {
  byId(id)[property] = String(state[member]) === 'true' || state[member];
  byId(id).addEventListener('change', () => update({[member]: read(byId(id)[property])}));
}

function buildOptions() {
  fillSelect('palette', [['', say('Automatic')], ...data.paletteNames.map((name) => [name, say(name)])]);
  const rules = [['automatic', say('Each map its own')], ['shared', say('One for all heads')],
                 ['robust', say('The middle 96 %')]];
  const [lo, hi] = data.look.range.map((end) => numberText(significantText, end, 3));
  if (data.look.rule === 'fixed') rules.push(['fixed', `${lo} … ${hi}`]);
  fillSelect('rule', rules);
  fillSelect('against', comparisons());
  byId('against').parentElement.hidden = byId('against').length < 2;
  byId('marks').parentElement.hidden =
      !data.stages.some(({own, kept}) => [...own.marks, ...kept.marks].some((marks) => marks.length > 0));
  bind('palette', 'palette', 'value');
  bind('rule', 'rule', 'value');
  bind('spread', 'spread', 'value');
  bind('against', 'against', 'value');
  bind('zoom', 'zoom', 'value', Number);
  bind('values', 'values', 'checked');
  bind('marks', 'marks', 'checked');
  bind('theme', 'theme', 'value');
}

function listenToMap() {
  const map = byId('map'), cells = byId('cells');
  cells.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'mouse') update({hover: cellAt(event)});
  });
  cells.addEventListener('pointerleave', () => update({hover: null}));
  cells.addEventListener('click', (event) => update({cell: cellAt(event)}));
  map.addEventListener('keydown', moveInMap);
  map.addEventListener('focus', () => {
    if (map.matches(':focus-visible')) update({cell: state.cell ?? {row: 0, col: 0}});
  });
  map.addEventListener('blur', () => update({}));
}

/** On paper the page is light, and everything is there before the picture of it is taken. */
function listenToPrinting() {
  const print = (printing) => {
    Object.assign(state, {printing});
    render();
  };
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
}

function describeSizes() {
  const queries = data.labels.queries.length, keys = data.labels.keys.length;
  const tokens = data.isCross ? `${sayCount('{} query', '{} queries', queries)}, ${sayCount('{} key', '{} keys', keys)}`
                              : sayCount('{} token', '{} tokens', queries);
  const layers = data.layerHeads ? sayCount('{} layer', '{} layers', data.heads / data.layerHeads) + ', ' : '';
  byId('sizes').textContent = `${tokens}, ${layers}${sayCount('{} head', '{} heads', data.heads)}`;
  byId('layer-keys').hidden = !data.layerHeads;
  byId('stages').hidden = data.stages.length < 2;
  byId('session-note').hidden = !byId('attention-lab-session');
  byId('title').hidden = byId('title').textContent === '';
}

describeSizes();
buildStages();
buildHeads();
buildSides();
buildOptions();
listenToMap();
listenToPrinting();
byId('numbers').addEventListener('toggle', () => update({}));
darkScheme.addEventListener('change', () => update({}));
addEventListener('scroll', () => update({}), {capture: true, passive: true});
new ResizeObserver(() => update({})).observe(byId('panel'));
document.fonts.ready.then(() => update({}));
render();
