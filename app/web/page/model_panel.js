// The layer: its sizes, scale, temperature, mask, positions and switches.

import {byId, elementOf, whenChanged} from '../../figure/html/page/elements.js';
import {shortestText, withMark} from '../../figure/html/page/numbers.js';
import {say} from '../../figure/html/page/words.js';
import {usesComma} from './looks.js';
import {apply, commit, lab, onRender, preview, tell, update, view} from './store.js';

/** Sizes: their command's name, and the most that a page offers. */
const SIZES = [
  {name: 'd_model', most: 512}, {name: 'n_heads', words: 'heads h', most: 32},
  {name: 'd_k', words: 'd_k per head', most: 128}, {name: 'd_v', words: 'd_v per head', most: 128},
];

/** Switches: the member of the configuration, which "set_…" sets, and the words. */
const SWITCHES = [
  {member: 'scale', words: 'Scale by √d_k'}, {member: 'biases', words: 'Biases'},
  {member: 'residual', words: 'Residual: X + output'}, {member: 'layer_norm', words: 'Layer norm'},
];

const POSITIONS = [
  {kind: 'none', words: 'none##positions'}, {kind: 'sinusoidal', words: 'sinusoidal'}, {kind: 'learned', words: 'learned'},
  {kind: 'rotary', words: 'rotary'}, {kind: 'alibi', words: 'ALiBi'},
];

/** A line with a name and what sets it. */
function lineOf(text, ...controls) {
  const line = elementOf('label', '', {class: 'line'});
  line.append(elementOf('span', text), ...controls);
  return line;
}

function sizeLine({name, words, most}) {
  const {config} = lab.state;
  const input = elementOf('input', '', {type: 'number', min: '1', max: String(most), step: '1', 'data-size': name, inputmode: 'numeric'});
  input.value = String(config[name]);
  input.disabled = config.split && (name === 'd_k' || name === 'd_v');
  input.addEventListener('change', () => {
    const value = Math.round(Number(input.value));
    if (!(value >= 1 && value <= most) || !apply({do: 'set_size', size: name, value})) input.value = String(lab.state.config[name]);
    if (!(value >= 1 && value <= most)) tell(say('A whole number from {} to {}, please.', 1, most));
  });
  return lineOf(words ? say(words) : name, input);
}

function switchLine({member, words}) {
  const input = elementOf('input', '', {type: 'checkbox', role: 'switch', 'data-switch': member});
  input.checked = lab.state.config[member];
  input.addEventListener('change', () => apply({do: `set_${member}`, on: input.checked}));
  return lineOf(say(words), input);
}

function selectLine(words, id, options, value, choose) {
  const select = elementOf('select', '', {id});
  select.append(...options.map(([key, text]) => elementOf('option', text, {value: key})));
  select.value = value;
  select.addEventListener('change', () => choose(select.value));
  return lineOf(words, select);
}

/** Temperature: a number, and a slider from 0.1 to 10 with 1 in its middle. */
function temperatureLine() {
  const {temperature} = lab.state.config;
  const range = elementOf('input', '', {type: 'range', min: '-1', max: '1', step: '0.01', id: 'temperature', 'aria-label': say('Temperature')});
  const number = elementOf('input', '', {type: 'text', inputmode: 'decimal', id: 'temperature-number', 'aria-label': say('Temperature')});
  range.value = String(Math.log10(Math.max(temperature, 1e-9)));
  number.value = withMark(shortestText(temperature), usesComma());
  range.addEventListener('input', () => {
    const value = Number((10 ** Number(range.value)).toPrecision(3));
    number.value = withMark(shortestText(Math.fround(value)), usesComma());
    preview({do: 'set_temperature', value});
  });
  range.addEventListener('change', commit);
  number.addEventListener('change', () => {
    const {value} = lab.engine.request('number', {text: number.value});
    if (value === null) tell(say('“{}” is not a number.', number.value));
    if (value === null || !apply({do: 'set_temperature', value})) number.value = withMark(shortestText(lab.state.config.temperature), usesComma());
  });
  const line = elementOf('div', '', {class: 'line wide'});
  line.append(elementOf('span', say('Temperature')), number, range);
  return line;
}

/** The rules of the mask: none, causal, and how far a query sees. */
function maskLines() {
  const {causal, window: reach} = lab.state.config;
  const kind = selectLine(say('Mask'), 'mask-kind', [['none', say('none##mask')], ['causal', say('causal')]], causal ? 'causal' : 'none',
                          (value) => apply({do: 'set_mask', causal: value === 'causal'}));
  const input = elementOf('input', '', {type: 'number', min: '0', max: '512', step: '1', id: 'mask-window', inputmode: 'numeric'});
  input.value = String(reach);
  input.addEventListener('change', () => apply({do: 'set_mask', window: Math.max(0, Math.round(Number(input.value)))}));
  const paint = elementOf('button', say('Paint…'), {type: 'button', class: 'small', id: 'paint-mask'});
  paint.addEventListener('click', () => update({matrix: 'mask', edit: null, panel: 'edit'}));
  const line = elementOf('div', '', {class: 'line'});
  line.append(kind, paint);
  return [line, lineOf(say('Window, 0 for all'), input)];
}

/** What a trained model is; its sizes cannot be changed. */
function factLines() {
  const {model, config} = lab.state;
  const facts = [[say('Model'), model.name], [say('Layers'), String(model.layers.length)], [say('Heads'), String(config.n_heads)],
                 ['d_model', String(config.d_model)], ['d_k', String(config.d_k)], [say('Vocabulary'), String(model.vocabulary)],
                 [say('Longest text'), String(model.positions || '∞')]];
  const list = elementOf('dl', '', {class: 'facts'});
  list.append(...facts.flatMap(([name, fact]) => [elementOf('dt', name), elementOf('dd', fact)]));
  return list;
}

function renderModel() {
  const {config, model} = lab.state;
  byId('variants').hidden = Boolean(model);
  if (model) {
    whenChanged(byId('model-lines'), [model.name, config, view.language], () => byId('model-lines').replaceChildren(factLines()));
    return;
  }
  const isDragging = document.activeElement?.id === 'temperature';
  whenChanged(byId('model-lines'), [isDragging ? {...config, temperature: 0} : config, view.language, isDragging], () => {
    const active = document.activeElement, focus = active?.id || active?.dataset?.size || active?.dataset?.switch;
    if (isDragging && byId('model-card').contains(active)) return;
    const [mask, reach] = maskLines();
    byId('model-lines').replaceChildren(
        ...SIZES.map(sizeLine), switchLine(SWITCHES[0]), temperatureLine(), mask);
    byId('variant-lines').replaceChildren(
        reach,
        selectLine(say('Positions'), 'positions', POSITIONS.map(({kind, words}) => [kind, say(words)]), config.positions,
                   (kind) => apply({do: 'set_positions', kind})),
        ...SWITCHES.slice(1).map(switchLine));
    if (!focus) return;
    const again = byId(focus) ?? byId('model-card').querySelector(`[data-size="${focus}"], [data-switch="${focus}"]`);
    again?.focus();
  });
}

onRender(renderModel);
