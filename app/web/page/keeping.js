// Work that survives a closed tab: the session in the browser's own database.

import {byId} from '../../figure/html/page/elements.js';
import {say} from '../../figure/html/page/words.js';
import {sessionBytes} from './files.js';
import {lessonBytes, lessonStamp} from './lessons.js';
import {lab, onRender, touch} from './store.js';

const WAIT = 400;  // milliseconds after the last change

let database = null;
let status = '';      // what the line at the bottom says
let keptState = null;  // the state of the history that is kept
let timer = 0;
let wasLesson = false;
let place = '';        // of this page's work beside that of others, which bring other things along

/** A request of the database as a promise. */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const work = (mode) => database.transaction('work', mode).objectStore('work');

/** Opens the database; what was kept in the page of that name, {session, lesson} as bytes, or nothing. */
export async function openKept(page = '') {
  place = page && ` ${page}`;
  try {
    const request = indexedDB.open('attention-lab', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('work');
    database = await done(request);
    const [session, lesson] = await Promise.all(['session', 'lesson'].map((name) => done(work('readonly').get(name + place))));
    return {session, lesson};
  } catch {
    database = null;
    status = 'off';
    return null;
  }
}

/** Keeps the session, or what was done in the lesson beside the work that waits for its end. */
async function keep() {
  try {
    const what = lab.isLesson ? 'lesson' : 'session';
    keptState = stateNow();
    await done(work('readwrite').put(lab.isLesson ? lessonBytes() : sessionBytes(false), what + place));
    status = 'kept';
  } catch {
    status = 'off';
  }
  touch();
}

/** Nothing is kept any more. */
export async function forget(what = 'session') {
  if (database) await done(work('readwrite').delete(what + place));
}

/** What tells states apart that are to be kept. */
function stateNow() {
  const lesson = lab.isLesson ? lessonStamp() : '';
  return `${lab.state.history.now} ${lab.state.sentence} ${lesson}`;
}

onRender(() => {
  const now = stateNow();
  if (wasLesson && !lab.isLesson) forget('lesson');
  wasLesson = lab.isLesson;
  if (database && now !== keptState && (lab.state.history.canUndo || lab.isLesson)) {
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
