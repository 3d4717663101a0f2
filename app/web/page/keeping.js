// Work that survives a closed tab: the session in the browser's own database.

import {byId} from '../../figure/html/page/elements.js';
import {say} from '../../figure/html/page/words.js';
import {sessionBytes} from './files.js';
import {lab, onRender, touch} from './store.js';

const WAIT = 400;  // milliseconds after the last change

let database = null;
let status = '';      // what the line at the bottom says
let keptState = null;  // the state of the history that is kept
let timer = 0;

/** A request of the database as a promise. */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const work = (mode) => database.transaction('work', mode).objectStore('work');

/** Opens the database; what was kept, {bytes, view}, or nothing. */
export async function openKept() {
  try {
    const request = indexedDB.open('attention-lab', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('work');
    database = await done(request);
    return await done(work('readonly').get('session'));
  } catch {
    database = null;
    status = 'off';
    return null;
  }
}

async function keep() {
  try {
    const state = lab.state.history.now;
    await done(work('readwrite').put({bytes: sessionBytes(false), language: document.documentElement.lang}, 'session'));
    keptState = `${state} ${lab.state.sentence}`;
    status = 'kept';
  } catch {
    status = 'off';
  }
  touch();
}

/** Nothing is kept any more. */
export async function forget() {
  if (database) await done(work('readwrite').delete('session'));
}

onRender(() => {
  const now = `${lab.state.history.now} ${lab.state.sentence}`;
  if (database && now !== keptState && lab.state.history.canUndo && !lab.isLesson) {
    keptState = now;
    status = 'waits';
    clearTimeout(timer);
    timer = setTimeout(keep, WAIT);
  }
  const words = {
    kept: say('Kept in this browser'), waits: '…', off: say('This browser keeps nothing here: save your work'),
  };
  byId('status-kept').textContent = words[status] ?? '';
});
addEventListener('pagehide', () => {
  if (status === 'waits') keep();
});
