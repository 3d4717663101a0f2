// Sessions from files and into files, examples, and exports of a map.

import {byId, elementOf} from '../../figure/html/page/elements.js';
import {say} from '../../figure/html/page/words.js';
import {files, needModels} from './assets.js';
import {csvOf, pngOf, svgOf} from './pictures.js';
import {stageTitle} from './stages.js';
import {adopt, lab, stageNamed, tell, update, view} from './store.js';

const LARGEST_FILE = 64e6;

/** What is open, as its file has it: bytes. `isSaved` says that a person keeps them. */
export function sessionBytes(isSaved) {
  if (view.cell) lab.engine.request('view', {...view.cell, focused: view.head});
  const state = lab.engine.request('save', {mark: isSaved});
  const bytes = lab.engine.output();
  if (isSaved) adopt(state);
  return bytes;
}

/** The state of a session that was opened; one of a model needs the model. */
async function sessionState(bytes, title) {
  try {
    return lab.engine.requestAbout(bytes, 'open', {title});
  } catch (problem) {
    if (!/"model"/.test(new TextDecoder().decode(bytes.subarray(0, 4096)))) throw problem;
    await needModels();
    files.set('/given/session.json', bytes);
    return lab.engine.request('open_file', {path: '/given/session.json'});
  }
}

/** Opens a session; whether that could be done. `title` is for one that has none. */
export async function openSession(bytes, title = '') {
  try {
    const state = await sessionState(bytes, title);
    lab.isLesson = false;
    lab.isTraining = Boolean(state.model);
    adopt(state);
    const head = Math.min(state.view?.head ?? 0, state.heads.length - 1);
    const has = state.view && state.stages.some((stage) => stage.name === state.view.stage);
    const isShared = has && !state.stages.find((stage) => stage.name === state.view.stage).perHead;
    const cell = has ? {stage: state.view.stage, head: isShared ? 0 : head, row: state.view.row, col: state.view.col} : null;
    update({head, cell, hover: null, edit: null, trail: [], ahead: [], message: (state.notes ?? []).join(' ')});
    return true;
  } catch (problem) {
    tell(problem.message);
    return false;
  }
}

/** A name for files: the title without what file systems refuse. */
export function fileName(ending, more = '') {
  const words = [lab.state.title || 'attention', more].filter(Boolean).join(' ');
  const name = words.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').toLowerCase();
  return `${name || 'attention'}.${ending}`;
}

/** Hands a file to the person. */
export function download(content, name, type) {
  const link = elementOf('a', '', {download: name});
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function saveSession() {
  download(sessionBytes(true), fileName('json'), 'application/json');
}

/** Opens what was chosen or dropped: a session, a lesson, or the files of a model. */
async function openFiles(list) {
  const [file] = list;
  if (!file) return;
  if (list.length > 1 || /\.(gguf|safetensors)$/i.test(file.name)) {
    document.dispatchEvent(new CustomEvent('lab-model', {detail: [...list]}));
    return;
  }
  if (file.size > LARGEST_FILE) {
    tell(say('{} is too large: a page opens sessions of up to {} MB.', file.name, LARGEST_FILE / 1e6));
    return;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (/\.(md|markdown)$/i.test(file.name)) {
    files.set(`/given/${file.name}`, bytes);
    document.dispatchEvent(new CustomEvent('lab-lesson', {detail: `/given/${file.name}`}));
  } else {
    await openSession(bytes, file.name.replace(/\.[^.]*$/, ''));
  }
}

const picker = byId('file-picker');
picker.addEventListener('change', async () => {
  await openFiles(picker.files);
  picker.value = '';
});
export const chooseFile = () => picker.click();

addEventListener('dragover', (event) => {
  if (![...event.dataTransfer.types].includes('Files')) return;
  event.preventDefault();
  document.body.classList.add('drops');
});
addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) document.body.classList.remove('drops');
});
addEventListener('drop', (event) => {
  document.body.classList.remove('drops');
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  openFiles(event.dataTransfer.files);
});

// Exports

const dialog = byId('export');
let exported = {stage: 'weights', head: 0};

/** Asks what a map is to become. */
export function openExport(detail = view.cell ?? {stage: 'weights', head: view.head}) {
  exported = {stage: detail.stage, head: detail.head};
  const select = byId('export-stage');
  select.replaceChildren(...lab.state.stages.map((stage) => elementOf('option', stage.fullTitle, {value: stage.name})));
  select.value = exported.stage;
  const heads = byId('export-head');
  heads.replaceChildren(...lab.state.heads.map(({title}, head) => elementOf('option', title, {value: String(head)})));
  heads.value = String(exported.head);
  if (!dialog.open) dialog.showModal();
  showHeads();
}

function showHeads() {
  byId('export-head-line').hidden = !stageNamed(exported.stage).perHead || lab.state.heads.length < 2;
}

async function exportAs(format) {
  const stage = stageNamed(exported.stage), {head} = exported;
  const name = fileName(format, stageTitle(stage, head));
  if (format === 'png') download(await pngOf(stage, head), name, 'image/png');
  else if (format === 'svg') download(svgOf(stage, head), name, 'image/svg+xml');
  else if (format === 'csv') download(csvOf(stage, head), name, 'text/csv');
  else saveSession();
  dialog.close();
}

byId('export-stage').addEventListener('change', (event) => {
  exported.stage = event.target.value;
  showHeads();
});
byId('export-head').addEventListener('change', (event) => exported.head = Number(event.target.value));
for (const button of dialog.querySelectorAll('[data-format]')) button.addEventListener('click', () => exportAs(button.dataset.format));
document.addEventListener('lab-export', (event) => openExport(event.detail));
