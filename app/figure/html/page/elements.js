
// Elements of a page, whatever they show.

/**
 * The element of that id.
 * @type {(id: string) => any}
 */
export const byId = (id) => document.getElementById(id);

/** What `make` gives for each argument, made once. */
export function remembered(make) {
  const made = new Map();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key);
  };
}

/** A formula's text, with its raised and lowered parts as elements. */
export function formulaNodes(formula) {
  return formula.split(/(<su[bp]>[^<]*<\/su[bp]>)/).map((part) => {
    const [, name, text] = part.match(/^<(su[bp])>([^<]*)</) ?? [];
    if (!name) return part;
    return elementOf(name, text);
  });
}

/**
 * A new element that holds `text`.
 * @returns {any}
 */
export function elementOf(name, text = '', attributes = {}) {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Marks the chosen one of several buttons, which alone is reached by Tab. */
export function renderChoice(group, attribute, chosen) {
  [...group.children].forEach((button, i) => {
    button.setAttribute(attribute, String(i === chosen));
    button.tabIndex = i === chosen ? 0 : -1;
  });
}

const shown = new WeakMap();

/** Calls `draw` when what `element` shows, which `key` tells, is something else by now. */
export function whenChanged(element, key, draw) {
  const text = JSON.stringify(key);
  if (shown.get(element) === text) return;
  shown.set(element, text);
  draw();
}

/** Puts `element` at a place in pixels. */
export function putAt(element, box) {
  for (const [side, length] of Object.entries(box)) element.style[side] = `${length}px`;
}

/** Fills a select with [value, text] pairs. */
export function fillSelect(id, options) {
  byId(id).replaceChildren(...options.map(([value, text]) => elementOf('option', text, {value})));
}

/** Where a key leads from `cell`, or null when it leads nowhere. */
export function cellAfter(cell, key, isCorner, [rows, cols]) {
  const {row, col} = cell;
  switch (key) {
    case 'ArrowUp': return {row: Math.max(0, row - 1), col};
    case 'ArrowDown': return {row: Math.min(rows - 1, row + 1), col};
    case 'ArrowLeft': return {row, col: Math.max(0, col - 1)};
    case 'ArrowRight': return {row, col: Math.min(cols - 1, col + 1)};
    case 'Home': return {row: isCorner ? 0 : row, col: 0};
    case 'End': return {row: isCorner ? rows - 1 : row, col: cols - 1};
    default: return null;
  }
}

/** The place `step` after `from` in a ring of `count`. */
export const around = (from, step, count) => (from + step + count) % count;

/**
 * Arrow keys lead from button to button of a group and choose it; up and down from line to line where
 * it has `columns`.
 */
export function moveInGroup(group, choose, columns = 1) {
  group.addEventListener('keydown', (event) => {
    const count = group.children.length;
    const from = [...group.children].indexOf(document.activeElement);
    const steps = {ArrowLeft: -1, ArrowUp: -columns, ArrowRight: 1, ArrowDown: columns};
    const ends = {Home: 0, End: count - 1};
    const next = ends[event.key] ?? (steps[event.key] ? around(from, steps[event.key], count) : -1);
    if (from < 0 || next < 0) return;
    event.preventDefault();
    group.children[next].focus();
    choose(next);
  });
}
