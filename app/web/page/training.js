// Training a small model: it learns in slices of time while everything is shown, with its curves, and any step can be gone back to.

import {byId, elementOf, whenChanged} from '../../figure/html/page/elements.js';
import {LABEL_FONT, prepare} from '../../figure/html/page/map.js';
import {say} from '../../figure/html/page/words.js';
import {density, inks, lookKey, shortNumber} from './looks.js';
import {adopt, apply, lab, onRender, refresh, tell, touch, update, view} from './store.js';

const SLICE_OF_TRAINING = 20;  // milliseconds in a frame
const BETWEEN_PICTURES = 200;  // milliseconds from a picture to the next one
const HEIGHT = 150;            // of the curves
const MARGINS = {left: 38, right: 10, top: 10, bottom: 22};

let isRunning = false;
let shownAt = 0;
let curves = null;
let curvesAt = '';  // the state whose curves those are

/** What can be learned: {task, title, words}. */
export const trainingTasks = () => lab.engine.request('tasks').tasks;

/** Opens a new model at step 0. */
export function openTraining(task) {
  try {
    const state = lab.engine.request('new_training', {task});
    lab.isLesson = false;
    lab.isTraining = true;
    isRunning = lab.isBusy = false;
    curvesAt = '';
    adopt(state);
    update({head: 0, cell: {stage: 'weights', head: 0, row: state.tokens.length - 1, col: 0}, hover: null, edit: null, trail: [],
            ahead: [], allHeads: false, message: ''});
  } catch (problem) {
    tell(problem.message);
  }
}

/** One slice of training; the next follows with the next frame. */
function trainOn() {
  if (!isRunning) return;
  try {
    const state = lab.engine.request('train', {slice: SLICE_OF_TRAINING});
    if (performance.now() > shownAt + BETWEEN_PICTURES || !state.more) {
      adopt(state);
      requestAnimationFrame(() => requestAnimationFrame(() => shownAt = performance.now()));
      shownAt = Infinity;
    }
    if (state.problem) tell(state.problem);
    if (state.more && !state.problem) setTimeout(trainOn);
    else stopTraining();
  } catch (problem) {
    tell(problem.message);
    stopTraining();
  }
}

function stopTraining() {
  if (!isRunning) return;
  isRunning = lab.isBusy = false;
  curvesAt = '';
  adopt(lab.engine.request('end_training'));
}

/** The curves of now; while training goes on, of a moment ago. */
function curvesNow() {
  const now = isRunning ? `${Math.floor(performance.now() / 300)}` : `state ${lab.stamp}`;
  if (now === curvesAt) return curves;
  curvesAt = now;
  try {
    curves = lab.engine.request('curves');
  } catch {
    lab.isTraining = false;
    curves = null;
  }
  return curves;
}

/** Lines over the steps: [{values, ink, width}], from 0 to `most`, with a mark at the step that is shown. */
function drawCurves(canvas, steps, lines, most, last) {
  const width = canvas.parentElement.clientWidth, {text, dim, line: rule, selected} = inks();
  if (width === 0) return;
  const context = prepare(canvas, width, HEIGHT, density());
  const x = (step) => MARGINS.left + (width - MARGINS.left - MARGINS.right) * step / Math.max(1, last);
  const y = (value) => HEIGHT - MARGINS.bottom - (HEIGHT - MARGINS.top - MARGINS.bottom) * Math.min(1, value / most);
  context.font = `11px ${LABEL_FONT}`;
  context.fillStyle = dim;
  context.strokeStyle = rule;
  for (const share of [0, 0.5, 1]) {
    context.beginPath();
    context.moveTo(MARGINS.left, Math.round(y(share * most)) + 0.5);
    context.lineTo(width - MARGINS.right, Math.round(y(share * most)) + 0.5);
    context.stroke();
    context.textAlign = 'right';
    context.fillText(shortNumber(share * most), MARGINS.left - 6, y(share * most) + 4);
  }
  context.textAlign = 'right';
  context.fillText(say('step {}', last), width - MARGINS.right, HEIGHT - 6);
  for (const {values, ink, width: weight} of lines) {
    context.beginPath();
    values.forEach((value, i) => (i === 0 ? context.moveTo(x(steps[i]), y(value)) : context.lineTo(x(steps[i]), y(value))));
    context.strokeStyle = ink;
    context.lineWidth = weight;
    context.stroke();
  }
  context.lineWidth = 2;
  context.strokeStyle = selected;
  context.beginPath();
  context.moveTo(x(curves.step), MARGINS.top);
  context.lineTo(x(curves.step), HEIGHT - MARGINS.bottom);
  context.stroke();
  context.fillStyle = text;
}

function renderTraining() {
  const given = lab.isTraining && lab.state.model ? curvesNow() : null;
  byId('training-card').hidden = !given;
  if (!given) return;
  const {step, lastStep, loss, knownLoss, heads, steps, measuredSteps} = given;
  byId('train').textContent = isRunning ? say('Stop') : say('Train');
  byId('train').setAttribute('aria-pressed', String(isRunning));
  byId('train-step').max = String(lastStep);
  if (document.activeElement !== byId('train-step')) byId('train-step').value = String(step);
  byId('train-step').disabled = isRunning || lastStep === 0;
  const words = [say('step {}', step)];
  if (loss.length > 0) words.push(say('loss {}', shortNumber(loss.at(-1))));
  if (knownLoss.length > 0) words.push(say('where it can be known {}', shortNumber(knownLoss.at(-1))));
  byId('train-words').textContent = words.join(' · ');
  const key = [curvesAt, step, view.head, lab.state.model.layer, lookKey(), byId('training-card').clientWidth, loss.length];
  whenChanged(byId('loss-curve'), key, () => {
    const {accent, selected, dim, line} = inks();
    const most = Math.max(0.1, ...loss, ...knownLoss);
    drawCurves(byId('loss-curve'), steps, [{values: loss, ink: accent, width: 2}, {values: knownLoss, ink: selected, width: 2}], most, lastStep);
    byId('loss-curve').setAttribute('aria-label', byId('train-words').textContent);
    const own = Number(lab.state.model.layer) * lab.state.heads.length + view.head;
    const lines = heads.map(({induction}, head) => ({values: induction, ink: head === own ? accent : line, width: head === own ? 2.5 : 1.5}));
    lines.push(...lines.splice(own, 1));  // over the others
    drawCurves(byId('head-curves'), measuredSteps, lines, 1, lastStep);
    const scores = heads.map(({induction}, head) => [induction.at(-1) ?? 0, head]).sort((a, b) => b[0] - a[0]);
    const [most_, head] = scores[0] ?? [0, 0], count = lab.state.heads.length;
    byId('head-words').textContent = say('induction of each head; the strongest is L{}H{} with {}', Math.floor(head / count), head % count, shortNumber(most_));
    byId('head-curves').setAttribute('aria-label', byId('head-words').textContent);
    byId('head-words').style.color = dim;
  });
}

byId('train').addEventListener('click', () => {
  if (isRunning) {
    stopTraining();
    return;
  }
  isRunning = lab.isBusy = true;
  shownAt = 0;
  touch();
  trainOn();
});
byId('train-step').addEventListener('change', (event) => {
  apply({do: 'train_to', branch: curves.branch, step: Number(event.target.value)});
  refresh();
});
byId('train-example').addEventListener('click', () => {
  try {
    adopt(lab.engine.request('another_example', {number: Math.floor(Math.random() * 1e6)}));
  } catch (problem) {
    tell(problem.message);
  }
});

/** The tasks in the list of what can be opened. */
export function trainingOptions() {
  const group = elementOf('optgroup', '', {label: say('Train a model')});
  group.append(...trainingTasks().filter(({task}) => task !== 'text').map(({task, title}) => elementOf('option', title, {value: `train ${task}`})));
  return group;
}

onRender(renderTraining);
