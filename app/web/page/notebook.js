// A page in a notebook: what it shows comes with it from Python, and what is edited goes back, by messages between this frame
// and the notebook around it. The other side is app/python/attention_lab/live_page.py.
//
// The page then has the element "notebook-data", JSON:
//   key      a word that each message has and nobody else knows
//   what     "weights", "qkv", "layer": files of safetensors; "session": one of JSON; "example": one that the page carries
//   title, layers (how many), layer (the first to be shown), head, theme, language
//   carried  by layer, from 0: {id, rounded}: the element that holds its file, compressed, rounded to float16 or not
//   lacks    why Python cannot be asked for other layers, as long as it has not answered
// To the notebook: {do: "ready"}, {do: "numbers", layer, edited, tokens, key_tokens, file}, {do: "layer", layer} and
// {do: "keep", kept}, which comes back when the notebook shows the page anew. From it: {do: "connected"},
// {do: "layer", layer, files: [one], or error}, {do: "update", data, layers, files: one for each of them}, {do: "kept", kept}.

import {byId, elementOf} from '../../figure/html/page/elements.js';
import {say} from '../../figure/html/page/words.js';
import {files, unpacked} from './assets.js';
import {sessionBytes} from './files.js';
import {float32Of, writeTensors} from './safetensors.js';
import {adopt, lab, onRender, tell, update, view} from './store.js';

const REST = 250;         // milliseconds after the last change until Python is told
const MOST_GREETINGS = 40;
const MOST_SENT = 256e6;  // bytes of numbers that Python is told
const OPENING = new Set(['open', 'open_file', 'example', 'open_model', 'new', 'begin_lesson', 'new_training']);
const FILE_NAMES = {score_bias: 'bias'};  // of matrices that files call otherwise

/** What Python gave; null outside of notebooks. */
let given = null;
let layer = 0;
let isMine = false;        // what is being opened comes from Python
let isOther = false;       // the person has opened something else
let isConnected = false;
let isShown = false;
let knownState = null;     // the state of the history that Python knows
let restTimer = 0;
const layerFiles = new Map();    // by layer: the bytes that Python gave
const editedLayers = new Map();  // by layer: the session
const layersAsked = new Map();         // by layer: what waits for it

/** Whether Python says what this page shows. */
export const inNotebook = () => given !== null || byId('notebook-data') !== null;

const post = (message) => parent.postMessage({attentionLab: given.key, ...message}, '*');
const stateShown = () => `${lab.state.history.now} ${lab.state.sentence}`;
const hasEdits = () => lab.state.history.canUndo || editedLayers.has(layer);

/**
 * What Python wishes for: {language, theme}, both or none.
 * @returns {{[name: string]: string}}
 */
export function notebookWishes() {
  const {language, theme} = JSON.parse(byId('notebook-data').textContent);
  return {language, theme};
}

/** Opens what came with the page from Python; whether anything did. */
export async function openNotebook() {
  if (!inNotebook()) return false;
  given = JSON.parse(byId('notebook-data').textContent);
  document.body.dataset.notebook = 'true';
  watchOpening();
  addEventListener('message', hear);
  showBar();
  await showLayer(given.layer ?? 0);
  onRender(follow);
  sayReady(0);
  return isShown;
}

/** Says so until somebody answers: what carries messages to Python may come later than the page, or never. */
function sayReady(time) {
  if (isConnected || time === MOST_GREETINGS) return;
  post({do: 'ready', again: time > 0});
  setTimeout(() => sayReady(time + 1), 500);
}

/** Notices when the person opens something that Python does not know. */
function watchOpening() {
  const engine = lab.engine, request = engine.request.bind(engine);
  engine.request = (name, members) => {
    const answer = request(name, members);
    if (OPENING.has(name) && !isMine) isOther = true;
    return answer;
  };
}

/** The file of a layer, from the page itself or from Python. Throws Error with a sentence for a person. */
async function fileOf(wanted) {
  const carried = given.carried?.[wanted];
  if (!layerFiles.has(wanted) && carried) {
    const bytes = await unpacked(carried.id);
    layerFiles.set(wanted, carried.rounded ? float32Of(bytes) : bytes);
  }
  if (layerFiles.has(wanted)) return layerFiles.get(wanted);
  if (!isConnected) throw new Error(given.lacks);
  post({do: 'layer', layer: wanted});
  return new Promise((resolve, reject) => layersAsked.set(wanted, {resolve, reject}));
}

/** Shows a layer with the edits that were made of it. */
async function showLayer(wanted) {
  try {
    keepEdits();
    const session = editedLayers.get(wanted);
    const bytes = session ?? (given.what === 'example' ? null : await fileOf(wanted));
    layer = wanted;
    openBytes(bytes, session || given.what === 'session' ? 'json' : 'safetensors');
    knownState = stateShown();
    later(sendNumbers);
  } catch (problem) {
    tell(problem.message);
  }
  refreshBar();
}

/** The title as the name of a file, which becomes the title again: with other characters in place of those that part names. */
function titleNow() {
  const title = given.layers > 1 ? `${given.title} · ${say('layer {}', layer)}` : given.title;
  return (title || 'Python').replaceAll('/', '\u2215').replaceAll('.', '\u2024');
}

/** Opens the bytes of a file; null is the example of that title. */
function openBytes(bytes, ending) {
  const path = `/given/${titleNow()}.${ending}`;
  const before = isShown ? {head: view.head, cell: view.cell} : {head: given.head ?? 0, cell: null};
  if (bytes) files.set(path, bytes);
  isMine = true;
  try {
    const state = bytes ? lab.engine.request('open_file', {path}) : lab.engine.request('example', {name: given.title});
    adopt(state);
    const notes = (state.notes ?? []).map((note) => note.replace(/^"\/given\/.*?": /s, ''));
    byId('document-title').title = notes.join(' ');
    update({head: Math.min(before.head, state.heads.length - 1), cell: before.cell, hover: null, edit: null, trail: [], ahead: [],
            message: notes.filter((note) => !note.startsWith('ready attention')).join(' ')});
    isShown = true;
    isOther = false;
  } finally {
    isMine = false;
    files.files.delete(path);
  }
}

/** Remembers what was edited before something else is shown. */
function keepEdits() {
  if (!isShown || isOther || !lab.state.history.canUndo) return;
  editedLayers.set(layer, sessionBytes(false));
}

function later(work) {
  clearTimeout(restTimer);
  restTimer = setTimeout(work, REST);
}

/** With each frame: what was changed goes to Python, after a moment of rest. */
function follow() {
  refreshBar();
  if (isOther || stateShown() === knownState) return;
  knownState = stateShown();
  later(() => {
    keepEdits();
    post({do: 'keep', kept: {layer, edited: [...editedLayers]}});
    sendNumbers();
  });
}

// Numbers for Python

/** The numbers of `count` heads one after the other, with the shape [count, rows, cols]; null where there are none. */
function stacked(count, numbersOf) {
  const parts = Array.from({length: count}, (_, head) => numbersOf(head));
  if (parts.some((part) => !part)) return null;
  const [{rows, cols}] = parts, values = new Float32Array(count * rows * cols);
  parts.forEach((part, i) => values.set(part.values, i * rows * cols));
  return {shape: [count, rows, cols], values};
}

/** A stage or a matrix of all heads, under the name that it has in files. */
function arrayOf({name, id, perHead, perKvHead}, kind) {
  const {heads, config} = lab.state;
  const isShared = perKvHead || (kind === 'stage' && /(^|_)[KV]$/.test(name));
  const count = !perHead ? 1 : isShared ? config.n_kv_heads : heads.length;
  const firstOf = (kv) => heads.findIndex(({kv_head: own}) => own === kv);
  const found = stacked(count, (head) => lab.engine[kind](id, kind === 'stage' && isShared ? firstOf(head) : head));
  if (!found) return [];
  const isVector = kind === 'matrix' && found.shape[1] === 1 && /^(b_|gamma|beta|norm_)/.test(name);
  const shape = [...(perHead ? [count] : []), ...(isVector ? [] : [found.shape[1]]), found.shape[2]];
  return [{name: FILE_NAMES[name] ?? name, shape, values: found.values}];
}

function allArrays() {
  const {stages, matrices} = lab.state;
  const wanted = given.what === 'weights' ? stages.filter(({name}) => name === 'weights') : stages;
  const arrays = wanted.flatMap((stage) => arrayOf(stage, 'stage'));
  const has = new Set(arrays.map(({name}) => name));
  const others = given.what === 'weights' ? [] : matrices.filter(({name}) => !has.has(name));
  return [...arrays, ...others.flatMap((matrix) => arrayOf(matrix, 'matrix'))];
}

/** Tells Python the numbers as they are now. */
function sendNumbers() {
  if (isOther || !isConnected) return;
  const arrays = allArrays();
  const size = arrays.reduce((sum, {values}) => sum + values.byteLength, 0);
  if (size > MOST_SENT) {
    tell(say('These are too many numbers for Python to be told: {} MB.', Math.ceil(size / 1e6)));
    return;
  }
  const {tokens, keys} = lab.state;
  post({do: 'numbers', layer, edited: hasEdits(), tokens, key_tokens: keys, file: writeTensors(arrays)});
}

// Messages

const ANSWERS = {
  connected() {
    if (isConnected) return;
    isConnected = true;
    sendNumbers();
    refreshBar();
  },
  layer({layer: came, files: [file], error}) {
    const waiting = layersAsked.get(came);
    layersAsked.delete(came);
    if (error) return waiting?.reject(new Error(error));
    layerFiles.set(came, file);
    waiting?.resolve(file);
  },
  async update({data, layers, files: came}) {
    given = {...given, ...data, carried: {}};
    layerFiles.clear();
    editedLayers.clear();
    layers.forEach((key, i) => layerFiles.set(key, came[i]));
    isOther = true;  // there is nothing to be kept of what was open
    await showLayer(Math.min(layer, given.layers - 1));
    later(() => {
      post({do: 'keep', kept: {layer, edited: [[layer, sessionBytes(false)]]}});
      sendNumbers();
    });
  },
  kept({kept}) {
    for (const [key, session] of kept.edited) editedLayers.set(key, session);
    return showLayer(kept.layer);
  },
};

function hear({source, data}) {
  if (source !== parent || data?.attentionLab !== given.key || !Object.hasOwn(ANSWERS, data.do)) return;
  ANSWERS[data.do](data);
}

// The choice of a layer, and whether Python is told

function showBar() {
  const label = elementOf('label', '', {id: 'notebook-layer', class: 'sentence-line'});
  const select = elementOf('select', '', {id: 'notebook-layers'});
  label.append(elementOf('span', '', {id: 'notebook-layer-name', class: 'dim'}), select);
  byId('document-title').after(label);
  byId('status-kept').after(elementOf('span', '', {id: 'status-rounded'}), elementOf('span', '', {id: 'status-python'}),
                            elementOf('button', '', {type: 'button', id: 'notebook-back', class: 'small'}));
  select.addEventListener('change', () => showLayer(Number(select.value)));
  byId('notebook-back').addEventListener('click', () => showLayer(layer));
}

function refreshBar() {
  byId('notebook-layer').hidden = given.layers < 2;
  byId('notebook-layer-name').textContent = say('Layer');
  const select = byId('notebook-layers');
  if (select.options.length !== given.layers) {
    select.replaceChildren(...Array.from({length: given.layers}, (_, k) => elementOf('option', String(k), {value: k})));
  }
  select.value = String(layer);
  const isRounded = !isOther && given.carried?.[layer]?.rounded;
  byId('status-rounded').textContent = isRounded ? say('rounded to float16 by Python') : '';
  const status = byId('status-python');
  if (isOther) status.textContent = say('Python does not see what is open here');
  else status.textContent = isConnected ? say('Python sees your edits') : say('Python does not see edits made here');
  status.title = isConnected || isOther ? '' : given.lacks;
  byId('notebook-back').hidden = !isOther;
  byId('notebook-back').textContent = say('Back to what Python showed');
}
