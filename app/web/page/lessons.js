// Lessons: steps beside the maps, questions whose answers are checked by the engine, hints, and the answers as a file.

import {byId, elementOf, whenChanged} from '../../figure/html/page/elements.js';
import {say} from '../../figure/html/page/words.js';
import {needModels} from './assets.js';
import {download, fileName, openSession, sessionBytes} from './files.js';
import {cellWords, stageTitle} from './stages.js';
import {adopt, answerOf, lab, onRender, refresh, stageNamed, tell, update, view} from './store.js';

/** What a step hides: its names, and the elements of the page. */
const HIDEABLE = {
  edit: '[data-part="edit"]', model: '#model-card', heads: '#heads-card', explain: '#explain-card', row: '#row-card', layers: '#layers-card',
  next_token: '#next-card', head: '#glance-card',
};

/** What a step locks: its names, and the elements that cannot be used then. */
const LOCKABLE = {
  sentence: '.sentence-line', sizes: '[data-size]', switches: '[data-switch], #temperature, #temperature-number, #positions',
  mask: '#mask-kind, #mask-window, #paint-mask', heads: '.mix', overrides: '#explain-set',
};

let ownWork = null;  // bytes of the session that a lesson has put aside
let source = '';     // what the lesson was begun by
let shownStep = '';

/** The lesson with its numbers of now; null when none is played. */
export const lessonNow = () => (lab.isLesson ? answerOf('lesson', {})?.lesson ?? null : null);

/** Begins a lesson by its name or path; whether that could be done. */
export async function beginLesson(name, step = 0) {
  try {
    await needModels();
    const own = lab.isLesson ? ownWork : sessionBytes(false);
    let state = lab.engine.request('begin_lesson', {source: name});
    if (step > 0) state = lab.engine.request('step', {step});
    [ownWork, source] = [own, name];
    enter(state);
    return true;
  } catch (problem) {
    tell(problem.message);
    return false;
  }
}

/** The lesson again in another language, at the same step. */
export function retellLesson() {
  if (lab.isLesson) beginLesson(source, lessonNow().step);
}

/** Takes over the state that a step begins with. */
function enter(state) {
  lab.isLesson = true;
  lab.isTraining = Boolean(state.model);  // perhaps: what has no curves is not
  if (state.lesson.view.tiles) document.dispatchEvent(new CustomEvent('lab-tiles', {detail: state.lesson.view.tiles}));
  shownStep = '';
  const {head, selected} = state.lesson.view;
  view.cell = selected ?? null;
  adopt(state);
  update({
    head: Math.min(selected?.head ?? head ?? 0, state.heads.length - 1), trail: [], ahead: [], hover: null, edit: null,
    allHeads: false, panel: 'lesson', message: '',
  });
  byId('lesson-card').scrollIntoView({block: 'start'});
}

/** Leaves the lesson, back to one's own work. */
export async function endLesson() {
  lab.engine.request('end_lesson');
  lab.isLesson = false;
  update({panel: ''});
  if (ownWork) await openSession(ownWork);
  ownWork = null;
}

/** What was done in the lesson, and one's own work that waits: bytes for resumeLesson(). */
export function lessonBytes() {
  lab.engine.request('save_progress');
  return {progress: lab.engine.output(), ownWork, source};
}

/** What tells states of the lesson apart. */
export function lessonStamp() {
  const {title, step, items} = lessonNow();
  return JSON.stringify([title, step, items.map(({question}) => question && [question.solved, question.tries, question.hints.length, question.typed, question.chosen])]);
}

/** Goes on with a lesson that was kept; whether that could be done. */
export async function resumeLesson(kept) {
  try {
    await needModels();
    const state = lab.engine.requestAbout(kept.progress, 'resume');
    ({ownWork, source} = kept);
    enter(state);
    return true;
  } catch (problem) {
    tell(problem.message);
    return false;
  }
}

/** A request of the lesson, whose texts may be others then. */
function ask(name, members = {}) {
  try {
    lab.engine.request(name, members);
  } catch (problem) {
    tell(problem.message);
  }
  refresh();
}

function goToStep(step) {
  try {
    enter(lab.engine.request('step', {step}));
  } catch (problem) {
    tell(problem.message);
  }
}

const LOOKS = {strong: 'b', emphasis: 'i', code: 'code', formula: 'i'};
const BLOCKS = {heading: 'h4', code: 'pre', quote: 'blockquote'};

/** The elements of a text of the lesson. */
function textNodes(blocks) {
  return blocks.map(({type, depth, marker, spans}) => {
    const block = elementOf(BLOCKS[type] ?? 'p', '', {class: `text-${type}`});
    if (type === 'item') {
      block.style.marginLeft = `${0.9 * (depth - 1)}em`;
      block.append(elementOf('span', marker, {class: 'marker'}));
    }
    const content = type === 'item' ? elementOf('span') : block;
    content.append(...spans.map(({look, text, live}) => elementOf(live ? 'b' : LOOKS[look] ?? 'span', text, live ? {class: 'live'} : {})));
    if (content !== block) block.append(content);
    return block;
  });
}

/** Has an answer judged; of a box, what is typed there. */
function judge(index, box) {
  if (box) {
    lab.engine.request('give', {question: index, typed: box.value});
    box.dataset.given = box.value;
  }
  ask('judge', {question: index});
}

/** What a question is answered with. */
function answerNodes(question) {
  const {index, type, choices, several, chosen, typed, clicked, stage} = question;
  if (type === 'choice') {
    return choices.map((text, i) => {
      const label = elementOf('label', '', {class: 'choice'});
      const input = elementOf('input', '', {type: several ? 'checkbox' : 'radio', name: `question-${index}`});
      input.checked = chosen.includes(i);
      input.addEventListener('change', () => ask('give', {question: index, chosen: several ?
          (input.checked ? [...chosen, i] : chosen.filter((one) => one !== i)) : [i]}));
      const words = elementOf('span');
      words.append(...textNodes(text));
      label.append(input, words);
      return label;
    });
  }
  if (type === 'cell') {
    const own = stage && stageNamed(stage);
    const words = clicked ? `${stageTitle(stageNamed(clicked.stage), clicked.head)}: ${cellWords(stageNamed(clicked.stage), clicked)}` :
        say('Tap a cell in {}.', own ? own.fullTitle : say('a map'));
    return [elementOf('p', words, {class: 'given'})];
  }
  if (type === 'make') return [];
  const input = elementOf(type === 'text' ? 'textarea' : 'input', '', {'data-question': String(index), 'aria-label': say('Answer')});
  if (type !== 'text') input.type = 'text';
  input.value = typed;
  input.dataset.given = typed;  // an answer that is given again is no longer judged
  input.addEventListener('change', () => {
    if (input.value !== input.dataset.given) ask('give', {question: index, typed: input.value});
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || type === 'text') return;
    event.preventDefault();
    judge(index, input);
  });
  return [input];
}

function questionNode(question) {
  const {index, type, prompt, solved, hints, moreHints, judgement} = question;
  const node = elementOf('div', '', {class: `question${solved ? ' solved' : ''}`, 'data-type': type, role: 'group'});
  node.append(...textNodes(prompt), ...answerNodes(question));
  const buttons = elementOf('div', '', {class: 'question-buttons'});
  const check = elementOf('button', type === 'text' ? say('Done') : say('Check'), {type: 'button', class: 'primary', 'data-check': String(index)});
  check.addEventListener('click', () => {
    judge(index, node.querySelector('[data-question]'));
  });
  buttons.append(check);
  if (moreHints) {
    const hint = elementOf('button', say('Hint'), {type: 'button', 'data-hint': String(index)});
    hint.addEventListener('click', () => ask('hint', {question: index}));
    buttons.append(hint);
  }
  node.append(buttons);
  for (const hint of hints) {
    const box = elementOf('div', '', {class: 'hint-box'});
    box.append(...textNodes(hint));
    node.append(box);
  }
  if (judgement) {
    const isRight = solved || judgement.verdict === 'right';
    const box = elementOf('div', '', {class: `verdict ${isRight ? 'right' : 'wrong'}`, role: 'status'});
    box.append(elementOf('span', isRight ? '✓' : '✗', {'aria-hidden': 'true'}));
    const words = elementOf('div');
    if (judgement.message) words.append(elementOf('p', judgement.message));
    words.append(...textNodes(judgement.feedback));
    box.append(words);
    node.append(box);
  }
  return node;
}

/** The questions of the step that a cell of this stage answers. */
function cellQuestion(lesson, stage) {
  return lesson.items.map((item) => item.question).find(
      (question) => question?.type === 'cell' && !question.solved && (!question.stage || question.stage === stage));
}

/** A cell that was tapped may be an answer. */
export function offerCell(cell) {
  const lesson = lessonNow();
  const question = lesson && cellQuestion(lesson, cell.stage);
  if (question) ask('give', {question: question.index, clicked: cell});
}

/** Elements that the step frames. */
function highlighted(name) {
  const [kind, what] = name.split('/');
  const selectors = {
    card: `[data-stage="${what}"]`, head: `.head-tile:nth-child(${what})`, tab: `[data-matrix="${what}"]`, sentence: '#sentence',
    matrix: '#edit-map', model: `[data-switch="${what}"], #${what === 'mask' ? 'mask-kind' : what}`,
  };
  const panels = {edit: '[data-part="edit"]', layers: '#layers-card', next_token: '#next-card', training: '#training-card', curves: '#training-card', movers: '#moves-card'};
  return document.querySelectorAll(kind === 'panel' ? panels[what] ?? '#none' : selectors[kind] ?? '#none');
}

/** Hides, locks and frames what the step says. */
function applyView(shown) {
  for (const element of document.querySelectorAll('.lesson-hidden')) element.classList.remove('lesson-hidden');
  for (const element of document.querySelectorAll('.lesson-frame')) element.classList.remove('lesson-frame');
  for (const element of document.querySelectorAll('[data-locked]')) {
    element.inert = false;
    element.removeAttribute('data-locked');
  }
  if (!shown) return;
  for (const name of shown.hidden) for (const e of document.querySelectorAll(HIDEABLE[name] ?? '#none')) e.classList.add('lesson-hidden');
  for (const name of shown.locked) {
    for (const e of document.querySelectorAll(LOCKABLE[name] ?? '#none')) {
      e.inert = true;
      e.setAttribute('data-locked', '');
    }
  }
  if (shown.locked.includes('weights') && shown.locked.includes('embeddings')) {
    byId('edit-card').inert = true;
    byId('edit-card').setAttribute('data-locked', '');
  }
  for (const name of shown.highlights) for (const e of highlighted(name)) e.classList.add('lesson-frame');
}

/** Nothing of what is typed is lost when the step is shown again. */
function keepTyping(draw) {
  const active = document.activeElement, index = active?.dataset?.question;
  const text = index === undefined ? '' : active.value;
  draw();
  if (index === undefined) return;
  const again = byId('lesson-items').querySelector(`[data-question="${index}"]`);
  if (!again) return;
  again.value = text;
  again.focus();
}

function renderLesson() {
  const lesson = lessonNow();
  byId('lesson-card').hidden = byId('lesson-tab').hidden = !lesson;
  document.body.classList.toggle('in-lesson', Boolean(lesson));
  applyView(lesson?.view);
  lab.ranges = lesson?.view.ranges ?? {};
  if (!lesson) return;
  const {title, step, steps, items, questions, solved} = lesson;
  byId('lesson-title').textContent = title;
  byId('lesson-progress').textContent = `${say('Step {} of {}', step + 1, steps.length)} · ${say('{} of {} solved', solved, questions)}`;
  byId('lesson-step').textContent = steps[step];
  whenChanged(byId('lesson-items'), [items, lesson.step, view.language], () => keepTyping(() => {
    byId('lesson-items').replaceChildren(...items.map((item) => {
      if (item.question) return questionNode(item.question);
      const box = elementOf('div', '', {class: 'lesson-text'});
      box.append(...textNodes(item.text));
      return box;
    }));
  }));
  byId('lesson-back').disabled = step === 0;
  byId('lesson-next').textContent = step + 1 < steps.length ? say('Next') : say('Finish');
  byId('lesson-save').hidden = !lesson.hasAnswers;
  const now = `${title} ${step}`;
  if (shownStep !== now) {
    shownStep = now;
    const first = lesson.view.highlights.map((name) => highlighted(name)[0]).find(Boolean);
    first?.scrollIntoView({block: 'nearest'});
  }
}

/** The list of all lessons. */
export function openLessons() {
  const {lessons} = lab.engine.request('lessons');
  byId('lesson-list').replaceChildren(...lessons.map(({number, name, title, goal, level, minutes, questions}) => {
    const item = elementOf('li');
    const button = elementOf('button', '', {type: 'button', 'data-lesson': name});
    button.append(elementOf('b', `${number}. ${title}`), elementOf('span', goal),
                  elementOf('small', `${level} · ${say('{} min', minutes)} · ${say('{} questions', questions)}`));
    button.addEventListener('click', () => {
      byId('lessons').close();
      beginLesson(name);
    });
    item.append(button);
    return item;
  }));
  if (!byId('lessons').open) byId('lessons').showModal();
}

/** The lesson that an address names, "03" or "why-divide". */
export function lessonNamed(name) {
  const {lessons} = lab.engine.request('lessons');
  return lessons.find((lesson) => lesson.name === name || lesson.number === Number(name))?.name;
}

function finish() {
  const lesson = lessonNow();
  byId('finish-words').textContent = say('{} of {} questions are solved.', lesson.solved, lesson.questions);
  byId('finish').showModal();
}

function saveAnswers() {
  lab.engine.request('results', {student: byId('student').value});
  download(lab.engine.output(), fileName('csv', say('answers')), 'text/csv');
}

byId('lesson-back').addEventListener('click', () => goToStep(lessonNow().step - 1));
byId('lesson-next').addEventListener('click', () => {
  const {step, steps} = lessonNow();
  if (step + 1 < steps.length) goToStep(step + 1);
  else finish();
});
byId('lesson-reset').addEventListener('click', () => enter(lab.engine.request('reset_step')));
byId('lesson-save').addEventListener('click', finish);
byId('lesson-end').addEventListener('click', endLesson);
byId('finish-save').addEventListener('click', saveAnswers);
byId('finish-end').addEventListener('click', () => {
  byId('finish').close();
  endLesson();
});
document.addEventListener('lab-lesson', (event) => beginLesson(event.detail));
document.addEventListener('lab-cell', (event) => offerCell(event.detail));
onRender(renderLesson);
