// The page that computes: it unpacks the engine, opens what it was asked for, and follows what happens.

import {byId, elementOf, whenChanged} from '../../figure/html/page/elements.js';
import {shownNumber} from '../../figure/html/page/numbers.js';
import {say, useWords} from '../../figure/html/page/words.js';
import './actions.js';
import {files, openAssets, textOf, unpackedEngine} from './assets.js';
import './comparing.js';
import './editing.js';
import {takeGiven} from './embedded.js';
import {Engine} from './engine.js';
import './explaining.js';
import {openSession} from './files.js';
import './heads.js';
import {forget, openKept} from './keeping.js';
import {beginLesson, lessonNamed, resumeLesson, retellLesson} from './lessons.js';
import {askedFor, openAddress} from './links.js';
import {usesComma} from './looks.js';
import './model_panel.js';
import {openModel} from './models.js';
import {inNotebook, notebookWishes, openNotebook} from './notebook.js';
import './sentence.js';
import {openTraining, trainingOptions} from './training.js';
import {adopt, lab, onRender, stageNamed, tell, touch, update, view} from './store.js';

let examples = [];

/** The examples that the page carries: {name, title, bytes}. */
function findExamples() {
  const index = JSON.parse(textOf('/assets/examples/index.json'));
  return index.examples.map(({name, file, title}) => ({name, title, bytes: files.get(`/assets/examples/${file}`)}));
}

const textsOf = [];

/** Remembers the English texts of the page, which say() translates: of elements with "data-say", and their names. */
function findTexts() {
  for (const element of document.querySelectorAll('[data-say]')) {
    const own = [...element.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && /\p{L}/u.test(node.textContent));
    if (own) textsOf.push({english: own.textContent.trim(), show: (text) => own.textContent = text});
    for (const name of ['aria-label', 'title', 'placeholder']) {
      const english = element.getAttribute(name);
      if (english) textsOf.push({english, show: (text) => element.setAttribute(name, text)});
    }
  }
}

/** Speaks a language from now on. */
export function useLanguage(language) {
  useWords(JSON.parse(textOf(`/assets/languages/${language}.json`) ?? '{}'));
  document.documentElement.lang = language;
  for (const {english, show} of textsOf) show(say(english));
  update({language});
  adopt(lab.engine.request('language', {language}));
  fillExamples();
  retellLesson();
}

/** Keeps a wish of the person beyond this visit, where the browser allows it. */
function store(name, value) {
  try {
    localStorage.setItem(`attention-lab ${name}`, value);
  } catch {
    // This browser keeps nothing for the page.
  }
}

function stored(name) {
  try {
    return localStorage.getItem(`attention-lab ${name}`);
  } catch {
    return null;
  }
}

function useTheme(theme) {
  document.documentElement.dataset.theme = theme;
  update({theme});
}

function fillExamples() {
  byId('example').replaceChildren(elementOf('option', say('Examples'), {value: ''}),
                                  ...examples.map(({name, title}) => elementOf('option', say(title), {value: name})));
  const configs = [...files.list('/assets/models').keys()].map((name) => [name, `/assets/models/${name}/config.json`])
      .filter(([, path]) => files.get(path)).map(([name, path]) => [name, JSON.parse(textOf(path))]);
  if (configs.length === 0) return;
  const group = elementOf('optgroup', '', {label: say('Trained models')});
  group.append(...configs.map(([name, {n_layer: layers, n_head: heads}]) => elementOf(
      'option', `${name}: ${say('{} layers', layers)} × ${say('{} heads', heads)}`, {value: `model ${name}`})));
  byId('example').append(group, trainingOptions());
}

function listen() {
  byId('example').addEventListener('change', async (event) => {
    if (event.target.value.startsWith('model ')) openModel(event.target.value.slice(6));
    if (event.target.value.startsWith('train ')) openTraining(event.target.value.slice(6));
    const example = examples.find(({name}) => name === event.target.value);
    event.target.value = '';
    if (!example) return;
    if (await openSession(example.bytes, example.title)) chooseFirstCell();
    forget();
  });
  byId('theme').addEventListener('change', (event) => {
    useTheme(event.target.value);
    store('theme', event.target.value);
  });
  byId('language').addEventListener('change', (event) => {
    useLanguage(event.target.value);
    store('language', event.target.value);
  });
  byId('palette').addEventListener('change', (event) => update({palette: event.target.value}));
  addEventListener('hashchange', async () => {
    const asked = askedFor();
    if (await openAddress(asked, examples)) chooseFirstCell();
    else await openLessonOf(asked);
  });
  addEventListener('resize', touch);
}

/** The strongest weight of the first head is what a visitor sees explained. */
function chooseFirstCell() {
  if (view.cell) return;
  const stage = stageNamed('weights');
  const {values, cols} = lab.engine.stage(stage.id, view.head);
  let best = 0;
  for (let i = 1; i < values.length; ++i) if (values[i] > values[best]) best = i;
  const cell = {stage: 'weights', head: view.head, row: Math.floor(best / cols), col: best % cols};
  update({cell, trail: [], ahead: []});
}

/** Shows the title, the time it took and a message. */
function renderFrame() {
  const {title, microseconds, tokens, heads, keys} = lab.state;
  whenChanged(byId('document-title'), title, () => {
    byId('document-title').textContent = title;
    document.title = title ? `${title} · Attention Lab` : 'Attention Lab';
  });
  const milliseconds = shownNumber(Math.max(0.1, microseconds / 1000).toFixed(1), usesComma());
  const time = microseconds < 100 ? `< ${milliseconds} ms` : `${milliseconds} ms`;  // browsers measure no finer
  byId('status-time').textContent = heads.length === 1 ? say('computed 1 head in {}', time) : say('computed {} heads in {}', heads.length, time);
  byId('status-scores').textContent = say('{} scores per head', tokens.length * keys.length);
  byId('message').hidden = view.message === '';
  byId('message-text').textContent = view.message;
  byId('theme').value = view.theme;
  byId('language').value = view.language;
}

/** What the browser lacks for the engine, in words; empty when it lacks nothing. */
function whatIsMissing() {
  if (typeof WebAssembly !== 'object' || typeof DecompressionStream !== 'function') {
    return say('This browser cannot compute here: it has no WebAssembly or cannot unpack it. Please use a browser of 2023 or newer.');
  }
  // Modules with a vector, and with an exception.
  const vector = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
  const exception = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11];
  if (!WebAssembly.validate(new Uint8Array(vector)) || !WebAssembly.validate(new Uint8Array(exception))) {
    return say('This browser cannot compute here: its WebAssembly lacks vectors or exceptions. Please use a browser of 2023 or newer.');
  }
  return '';
}

/** Opens what was kept and what the page was made for: a lesson begins over the work that was kept, and goes on if it was. */
async function openOwn(kept, given) {
  const hasLesson = Boolean(given?.path?.endsWith('.md'));
  if (kept?.session) await openSession(kept.session);
  else if (given?.path && !hasLesson) await openSession(files.get(given.path));
  if (kept?.lesson) await resumeLesson(kept.lesson);
  else if (hasLesson) await beginLesson(given.path);
}

/** Begins the lesson that the address names; whether there is one. */
async function openLessonOf(asked) {
  if (asked.lesson === undefined) return false;
  const name = lessonNamed(asked.lesson);
  if (!name) tell(say('There is no lesson “{}”.', asked.lesson));
  return Boolean(name) && beginLesson(name);
}

async function start() {
  findTexts();
  const missing = whatIsMissing();
  if (missing) throw new Error(missing);
  const [wasm] = await Promise.all([unpackedEngine(), openAssets()]);
  lab.engine = await Engine.start(wasm, files);
  examples = findExamples();
  lab.colours = lab.engine.request('colours');
  const asked = inNotebook() ? notebookWishes() : askedFor();
  const given = inNotebook() ? null : await takeGiven();
  const kept = inNotebook() ? null : await openKept(given?.name);
  await openSession(examples[0].bytes, examples[0].title);
  const wished = asked.language ?? given?.language ?? stored('language') ?? (navigator.language.startsWith('de') ? 'de' : 'en');
  useTheme([asked.theme, stored('theme')].find((theme) => ['light', 'dark'].includes(theme)) ?? 'automatic');
  useLanguage(wished === 'de' ? 'de' : 'en');
  onRender(renderFrame);
  const hasOpened = await openNotebook() || await openAddress(asked, examples) || await openLessonOf(asked);
  if (!hasOpened && asked.session === undefined) await openOwn(kept, given);
  if (!lab.isLesson) chooseFirstCell();
  listen();
  byId('loading').remove();
  byId('app').hidden = false;
  document.body.dataset.ready = 'true';
  touch();
}

start().catch((problem) => {
  byId('loading').textContent = problem.message;
  byId('loading').setAttribute('role', 'alert');
});
