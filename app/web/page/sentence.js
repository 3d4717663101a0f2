// The sentence, a chip for each token, and the second sentence that keys and values can come from.

import {byId, elementOf, whenChanged} from '../../figure/html/page/elements.js';
import {say, sayCount} from '../../figure/html/page/words.js';
import {apply, change, lab, lookAt, onRender, stageNamed, tell, update, view} from './store.js';

const input = byId('sentence');
const kvInput = byId('kv-sentence');
let typings = 0;  // what is typed without leaving the box is one step

/** Applies what was typed; an empty box waits. */
function applyTyped(box, command) {
  const text = box.value;
  box.classList.toggle('waits', text.trim() === '');
  if (text.trim() === '') tell(say('Type at least one word.'));
  else apply({do: command, text}, `${command} ${typings}`);
}

/** Shows a sentence in its box, unless it is just being typed there. */
function fillBox(box, text) {
  if (document.activeElement === box && box.classList.contains('waits')) return;
  if (box.value !== text) box.value = text;
  box.classList.remove('waits');
}

/** Marks the row of a token in every map. */
function chooseToken(row) {
  const cell = view.cell ?? {stage: 'weights', head: view.head, row: 0, col: 0};
  const stage = stageNamed(cell.stage);
  if (stage.rowLabels.length !== lab.state.tokens.length) lookAt({stage: 'weights', head: view.head, row, col: 0});
  else lookAt({...cell, row});
  update({panel: view.panel || 'explain'});
}

function renderTokens() {
  const {tokens} = lab.state;
  whenChanged(byId('tokens'), [tokens, view.language], () => {
    byId('tokens').replaceChildren(...tokens.map((token, i) => {
      const chip = elementOf('button', '', {type: 'button', class: 'chip', 'data-token': String(i)});
      chip.append(elementOf('bdi', token), elementOf('small', String(i)));
      chip.addEventListener('click', () => chooseToken(i));
      return chip;
    }));
  });
  [...byId('tokens').children].forEach((chip, i) => {
    chip.setAttribute('aria-pressed', String(view.cell?.row === i && stageNamed(view.cell.stage)?.rowLabels.length === tokens.length));
  });
}

function renderSentence() {
  const {sentence, kvSentence, tokens, mode} = lab.state;
  fillBox(input, sentence);
  fillBox(kvInput, kvSentence);
  byId('kv-line').hidden = kvSentence === '';
  byId('kv-toggle').setAttribute('aria-pressed', String(kvSentence !== ''));
  byId('token-count').textContent = sayCount('{} token', '{} tokens', tokens.length);
  byId('token-mode').value = mode;
  byId('token-mode').hidden = mode === 'tokenizer';
  byId('kv-toggle').hidden = Boolean(lab.state.model);
  renderTokens();
}

for (const [box, command] of [[input, 'set_sentence'], [kvInput, 'set_kv_sentence']]) {
  box.addEventListener('input', () => applyTyped(box, command));
  box.addEventListener('blur', () => {
    ++typings;
    box.classList.remove('waits');
    update({});
  });
  // The page has its own undo, which also knows of numbers.
  box.addEventListener('beforeinput', (event) => {
    if (!['historyUndo', 'historyRedo'].includes(event.inputType)) return;
    event.preventDefault();
    change(event.inputType === 'historyUndo' ? 'undo' : 'redo');
  });
}
byId('kv-toggle').addEventListener('click', () => {
  apply({do: 'set_kv_sentence', text: lab.state.kvSentence ? '' : lab.state.sentence});
  if (lab.state.kvSentence) requestAnimationFrame(() => kvInput.select());
});
byId('token-mode').addEventListener('change', (event) => apply({do: 'set_token_mode', mode: event.target.value}));
onRender(renderSentence);
