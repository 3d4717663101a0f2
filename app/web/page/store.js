// What the page shows: the state of the engine, and how it is looked at. Every change goes through here; the page follows with
// the next frame.

/** What is open. `stamp` grows with every change of it. */
export const lab = {
  /** @type {import('./engine.js').Engine} */
  engine: null,
  state: null,    // the answer of describe_state()
  colours: null,  // the answer of the request "colours"
  stamp: 0,
  isLesson: false,
  isBusy: false,      // whether it is training now
  isTraining: false,  // whether what was opened last is trained here
  ranges: {},     // the ranges of colours that a lesson fixes, by stage
};

/** How it is looked at. A cell is {stage, head, row, col}, heads from 0; `head` of a stage that all heads share is 0. */
export const view = {
  head: 0,
  allHeads: false,
  side: '',        // of a comparison: "A", "B" or "difference"
  cell: null,
  hover: null,
  trail: [],       // cells that were looked at before, for "back"
  ahead: [],       // … and after, for "forward"
  matrix: 'W_Q',
  edit: null,      // {row, col} of that matrix
  panel: '',       // of "explain", "edit", "model", the one that is open where there is no room for all
  theme: 'automatic',
  language: 'en',
  palette: '',
  message: '',
  tables: new Set(),  // stages that are shown as tables
};

const renderers = [];
let isQueued = false;

/** Calls `render` with every frame in which something has changed. */
export function onRender(render) {
  renderers.push(render);
}

/** The page is to follow what has changed. */
export function touch() {
  if (isQueued || !lab.state) return;
  isQueued = true;
  requestAnimationFrame(() => {
    isQueued = false;
    showPending();
    keepInside();
    for (const render of renderers) render();
  });
}

/** Changes how it is looked at. */
export function update(changes) {
  Object.assign(view, changes);
  touch();
}

/** Says a sentence to the person. */
export function tell(message) {
  update({message});
}

const madeOf = new Map();

/** What `make` gives for the present state, made once for each key. */
function ofState(key, make) {
  if (madeOf.get('stamp') !== lab.stamp) {
    madeOf.clear();
    madeOf.set('stamp', lab.stamp);
  }
  if (!madeOf.has(key)) madeOf.set(key, make());
  return madeOf.get(key);
}

const lastOf = new Map();
let versions = 0;

/** `numbers` with a version, which is a new one only where they differ from the last ones of that key. */
function versioned(key, numbers) {
  const last = lastOf.get(key);
  if (!numbers) return null;
  const isSame = last && last.rows === numbers.rows && last.cols === numbers.cols &&
      numbers.values.every((value, i) => Object.is(value, last.values[i]));
  if (isSame) return last;
  numbers.version = ++versions;
  lastOf.set(key, numbers);
  return numbers;
}

/** The numbers of a stage: {rows, cols, range, values, version}. */
export function stageNumbers(stage, head) {
  const own = stage.perHead ? head : 0, key = `stage ${stage.id} ${own}`;
  return ofState(key, () => versioned(key, lab.engine.stage(stage.id, own)));
}

/** The numbers of a stage on the side of a comparison that is shown; null where there are none to compare. */
export function shownNumbers(stage, head) {
  if (view.side !== 'A' && view.side !== 'difference') return stageNumbers(stage, head);
  const own = stage.perHead ? head : 0, key = `${view.side} ${stage.id} ${own}`;
  return ofState(key, () => versioned(key, view.side === 'A' ? lab.engine.keptStage(stage.id, own) : lab.engine.difference(stage.id, own)));
}

/** The numbers of an editable matrix. */
export function matrixNumbers(matrix, head) {
  const own = headOfMatrix(matrix, head), key = `matrix ${matrix.id} ${own}`;
  return ofState(key, () => versioned(key, lab.engine.matrix(matrix.id, own)));
}

/** The answer to a request that changes nothing; null where it has none. */
export function answerOf(name, members) {
  return ofState(name + JSON.stringify(members), () => {
    try {
      return lab.engine.request(name, members);
    } catch {
      return null;
    }
  });
}

export const stageNamed = (name) => lab.state.stages.find((stage) => stage.name === name);
export const matrixNamed = (name) => lab.state.matrices.find((matrix) => matrix.name === name);

/** Which of the matrices of that name a head uses, from 0. */
export function headOfMatrix(matrix, head) {
  if (!matrix.perHead) return 0;
  return matrix.perKvHead ? lab.state.heads[head].kv_head : head;
}

/** The members of a command that name a matrix, or a stage, of a head. */
export function placeOf(kind, thing, head) {
  if (kind === 'matrix') return {matrix: thing.name, ...(thing.perHead ? {head: headOfMatrix(thing, head) + 1} : {})};
  return {stage: thing.name, ...(thing.perHead ? {head: head + 1} : {})};
}

/** Takes over a state that the engine has answered. */
export function adopt(state) {
  lab.state = state;
  ++lab.stamp;
  touch();
}

/** Makes the request, whose answer is the new state; whether it was done. */
export function change(name, members = {}) {
  try {
    adopt(lab.engine.request(name, members));
    if (view.message) update({message: ''});
    return true;
  } catch (problem) {
    tell(problem.message);
    return false;
  }
}

/** What is open is the same, but what is said about it may not be. */
export function refresh() {
  ++lab.stamp;
  touch();
}

let pending = null;

/** Shows what is waiting to be shown as a preview. */
function showPending() {
  if (!pending) return;
  const command = pending;
  pending = null;
  change('preview', {command});
}

/** Makes a command one step; with the same `merge`, part of the step before. */
export function apply(command, merge = '') {
  pending = null;
  return change('apply', {command, ...(merge ? {merge} : {})});
}

/** Shows what the command would give, with the next frame. */
export function preview(command) {
  pending = command;
  touch();
}

/** Makes what is shown as a preview one step. */
export function commit() {
  showPending();
  change('commit');
}

/** Back to what was before the preview. */
export function cancel() {
  pending = null;
  change('cancel');
}

/** After a change there may be fewer heads, stages, rows or columns. */
function keepInside() {
  const {heads, matrices} = lab.state;
  view.head = Math.min(view.head, heads.length - 1);
  for (const which of ['cell', 'hover']) view[which] = insideStage(view[which]);
  view.trail = view.trail.filter(insideStage);
  view.ahead = view.ahead.filter(insideStage);
  if (!matrixNamed(view.matrix)) view.matrix = matrices[0].name;
  const [rows, cols] = matrixNamed(view.matrix).shape;
  if (view.edit && (view.edit.row >= rows || view.edit.col >= cols)) view.edit = null;
}

function insideStage(cell) {
  const stage = cell && stageNamed(cell.stage);
  if (!stage || cell.row >= stage.shape[0] || cell.col >= stage.shape[1]) return null;
  return cell.head < lab.state.heads.length ? cell : null;
}

/** Looks at a cell, which becomes the one that is explained. */
export function lookAt(cell) {
  const stage = stageNamed(cell.stage);
  const next = {...cell, head: stage.perHead ? cell.head : 0};
  const isSame = view.cell && JSON.stringify(view.cell) === JSON.stringify(next);
  if (view.cell && !isSame) view.trail = [...view.trail.slice(-49), view.cell];
  update({cell: next, ahead: [], ...(stage.perHead ? {head: cell.head} : {})});
}

/** Looks at the cell before, or after. */
export function stepTrail(from, to) {
  const cell = view[from].at(-1);
  if (!cell) return;
  update({
    [from]: view[from].slice(0, -1),
    [to]: view.cell ? [...view[to], view.cell] : view[to],
    cell,
    ...(stageNamed(cell.stage).perHead ? {head: cell.head} : {}),
  });
}

/** Opens a matrix for editing, at a cell of it. */
export function editMatrix(name, head, row, col) {
  const matrix = matrixNamed(name);
  if (!matrix) return;
  const user = lab.state.heads.findIndex((_, i) => headOfMatrix(matrix, i) === head);
  update({matrix: name, edit: {row, col}, panel: 'edit', ...(matrix.perHead && user >= 0 ? {head: user} : {})});
}
