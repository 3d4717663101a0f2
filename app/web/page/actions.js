// What buttons and keys do: one record for each, from which the list of keys follows.

import {byId, elementOf, whenChanged} from '../../figure/html/page/elements.js';
import {say} from '../../figure/html/page/words.js';
import {chooseFile, openExport, saveSession} from './files.js';
import {chooseHead} from './heads.js';
import {openLessons} from './lessons.js';
import {openLink} from './links.js';
import {apply, cancel, change, lab, lookAt, onRender, tell, update, view} from './store.js';

const open = (id) => /** @type {HTMLDialogElement} */ (byId(id)).showModal();

/** Looks at the same place in the stage before or after. */
function stepStage(step) {
  const {stages} = lab.state;
  const at = stages.findIndex(({name}) => name === (view.cell?.stage ?? 'weights'));
  const stage = stages[(at + step + stages.length) % stages.length];
  const inside = (place, count) => Math.min(place ?? 0, count - 1);
  lookAt({stage: stage.name, head: view.head, row: inside(view.cell?.row, stage.shape[0]), col: inside(view.cell?.col, stage.shape[1])});
  document.querySelector(`[data-stage="${stage.name}"]`)?.scrollIntoView({block: 'nearest'});
}

/** A record for each: its name, its keys, what it does, and when it can be done. */
const ACTIONS = {
  undo: {words: 'Undo', keys: ['Ctrl+Z'], run: () => change('undo'), can: () => lab.state.history.canUndo},
  redo: {words: 'Redo', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'], run: () => change('redo'), can: () => lab.state.history.canRedo},
  history: {words: 'History', keys: ['Ctrl+H'], run: openHistory},
  open: {words: 'Open…', keys: ['Ctrl+O'], run: chooseFile},
  save: {words: 'Save', keys: ['Ctrl+S'], run: saveSession},
  lessons: {words: 'Lessons…', keys: [], run: openLessons},
  link: {words: 'Link…', keys: ['Ctrl+L'], run: openLink},
  export: {words: 'Export…', keys: ['Ctrl+E'], run: () => openExport()},
  settings: {words: 'Settings…', keys: ['Ctrl+,'], run: () => open('settings')},
  help: {words: 'Keys and help', keys: ['F1', '?'], run: openHelp},
  menu: {words: 'Menu', keys: [], run: () => open('menu')},
  mute: {words: 'Mute this head', keys: ['M'], run: () => apply({do: 'set_head_mix', head: view.head + 1, mute: !lab.state.heads[view.head].mute})},
  allHeads: {words: 'One head or all', keys: ['A'], run: () => update({allHeads: !view.allHeads})},
  before: {words: 'Previous stage', keys: ['['], run: () => stepStage(-1)},
  after: {words: 'Next stage', keys: [']'], run: () => stepStage(1)},
  release: {words: 'Let go of the cell', keys: ['Esc'], run: release},
  clear: {words: 'Reset all numbers set by hand', keys: [], run: () => apply({do: 'clear_overrides'}), can: () => lab.state.overrides.length > 0},
};

/** The innermost thing that is open closes. */
function release() {
  if (view.message) tell('');
  else if (view.panel && view.panel !== 'lesson') update({panel: lab.isLesson ? 'lesson' : ''});
  else update({cell: null, hover: null, edit: null});
}

/** "Ctrl+Shift+Z" of a key that was pressed; Cmd counts as Ctrl. */
function chordOf(event) {
  const key = event.key === 'Escape' ? 'Esc' : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const isLetter = /^[A-Z]$/.test(key);
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.shiftKey && isLetter ? 'Shift+' : ''}${key}`;
}

function heardKey(event) {
  if (event.altKey || document.querySelector('dialog[open]')) return;
  const chord = chordOf(event);
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName) &&
      !['checkbox', 'range'].includes(document.activeElement.type);
  if (isTyping && !chord.startsWith('Ctrl+') && !/^F[0-9]/.test(chord)) {
    if (chord === 'Esc') document.activeElement.blur();
    return;
  }
  if (/^[1-9]$/.test(chord) && Number(chord) <= lab.state.heads.length) {
    chooseHead(Number(chord) - 1);
    event.preventDefault();
    return;
  }
  const action = Object.values(ACTIONS).find(({keys}) => keys.includes(chord));
  if (!action) return;
  event.preventDefault();
  if (!action.can || action.can()) action.run();
}

function openHistory() {
  const {entries, now} = lab.state.history;
  byId('history-list').replaceChildren(...entries.map(({label, state}) => {
    const item = elementOf('li');
    const button = elementOf('button', label || say('As it was opened'), {type: 'button', 'aria-current': state === now ? 'step' : 'false'});
    button.addEventListener('click', () => {
      change('jump', {state});
      openHistory();
    });
    item.append(button);
    return item;
  }));
  const dialog = byId('history');
  if (!dialog.open) dialog.showModal();
  dialog.querySelector('[aria-current="step"]')?.scrollIntoView({block: 'nearest'});
}

function openHelp() {
  const rows = [...Object.values(ACTIONS).filter(({keys}) => keys.length > 0).map(({words, keys}) => [keys, say(words)]),
                [['1 … 9'], say('Look at a head')], [['← ↑ ↓ →'], say('In a map: go from cell to cell')],
                [['Enter', '0 … 9'], say('In a map: type a number')], [['Delete'], say('Set to zero, or reset what was set by hand')]];
  byId('key-list').replaceChildren(...rows.flatMap(([keys, words]) => {
    const name = elementOf('dt');
    keys.forEach((key, i) => name.append(i ? ' · ' : '', elementOf('kbd', key.replace('Ctrl', say('Ctrl##key')).replace('Shift', say('Shift##key')))));
    return [name, elementOf('dd', words)];
  }));
  open('help');
}

for (const button of document.querySelectorAll('[data-action]')) {
  button.addEventListener('click', () => {
    button.closest('dialog')?.close();
    ACTIONS[button.dataset.action].run();
  });
}
for (const dialog of document.querySelectorAll('dialog')) {
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();  // beside it
  });
  for (const button of dialog.querySelectorAll('[data-close]')) button.addEventListener('click', () => dialog.close());
}
for (const tab of byId('panel-tabs').children) {
  tab.addEventListener('click', () => {
    const panel = tab.dataset.panel;
    const isSheet = matchMedia('(max-width: 719px)').matches;
    update({panel: isSheet && view.panel === panel ? '' : panel});
  });
}
addEventListener('keydown', heardKey);
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') cancelDrag();
}, {capture: true});

/** A slider that is being moved goes back. */
function cancelDrag() {
  const active = document.activeElement;
  if (active?.type === 'range') cancel();
}

onRender(() => {
  for (const button of document.querySelectorAll('[data-action]')) {
    const action = ACTIONS[button.dataset.action];
    if (action.can) button.disabled = !action.can();
  }
  const {undo, redo} = lab.state.history;
  whenChanged(byId('undo'), [undo, redo, view.language], () => {
    byId('undo').title = undo ? `${say('Undo')}: ${undo} (${say('Ctrl##key')}+Z)` : say('Undo');
    byId('redo').title = redo ? `${say('Redo')}: ${redo} (${say('Ctrl##key')}+Y)` : say('Redo');
  });
  const panel = view.panel || (matchMedia('(max-width: 719px)').matches ? '' : 'explain');
  document.body.dataset.panel = panel;
  for (const tab of byId('panel-tabs').children) tab.setAttribute('aria-pressed', String(tab.dataset.panel === panel));
});

