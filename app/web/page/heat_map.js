// A heat map on the page: cells and labels on canvases, frames around cells, and what pointer and keys do in it.

import {shareOf} from '../../figure/html/page/colours.js';
import {cellAfter, elementOf, putAt} from '../../figure/html/page/elements.js';
import {drawBar, drawCells, drawColumnLabels, drawRowLabels, layoutMap, prepare} from '../../figure/html/page/map.js';
import {density, tickNumber} from './looks.js';
import {say} from '../../figure/html/page/words.js';

const BAR_WIDTH = 42;   // of the colour bar with its numbers
const STEP = 0.02;      // what a pixel of dragging adds

const palette = document.createElement('canvas');

/**
 * A map with the focus order and the names that a screen reader needs. `actions` are functions: hover(cell or null), select(cell),
 * edit(cell, first character), clear(cell), drag(cell, phase, by), where a phase is "begin", "move", "end" or "cancel".
 */
export class HeatMap {
  #key = '';
  #barKey = '';
  #labelKeys = ['', ''];
  #view = null;
  #places = null;
  #cell = null;

  constructor(actions) {
    this.actions = actions;
    this.element = elementOf('div', '', {
      class: 'map', tabindex: '0', role: 'application', 'aria-roledescription': say('heat map'), 'aria-describedby': 'map-keys',
    });
    this.rowLabels = elementOf('canvas', '', {class: 'row-labels', 'aria-hidden': 'true'});
    this.cells = elementOf('div', '', {class: 'cells'});
    this.canvas = elementOf('canvas', '', {'aria-hidden': 'true'});
    this.frames = elementOf('div', '', {class: 'frames', 'aria-hidden': 'true'});
    this.mark = elementOf('div', '', {class: 'cell-mark', 'aria-hidden': 'true', hidden: ''});
    this.cells.append(this.canvas, this.frames, this.mark);
    this.bar = elementOf('canvas', '', {class: 'side-bar', 'aria-hidden': 'true'});
    this.columnLabels = elementOf('canvas', '', {class: 'column-labels', 'aria-hidden': 'true'});
    this.element.append(this.rowLabels, this.cells, this.bar, this.columnLabels);
    this.#listen();
  }

  /** The size of a cell in pixels, and whether numbers stand in them. */
  get places() {
    return this.#places;
  }

  /**
   * Paints the view in `width` pixels unless `key` says that it is there already. `cell` is the marked one, `frames` are
   * {row, col, rows, cols, kind} around others.
   */
  draw(view, width, key, {label, cell = null, frames = [], hasBar = true}) {
    this.#cell = cell;
    const whole = JSON.stringify([key, width, view.rowLabels, view.columnLabels]);
    if (whole !== this.#key) {
      this.#key = whole;
      this.#view = view;
      this.#places = layoutMap(view, width - (hasBar ? BAR_WIDTH : 0));
      drawCells(this.canvas, view, this.#places, density());
      this.bar.hidden = !hasBar;
      if (hasBar) this.#drawBar();
      this.element.setAttribute('aria-label', label);
    }
    this.#drawLabels(cell);
    this.#drawFrames(cell, frames);
  }

  #drawLabels(cell) {
    const {rowLabels, columnLabels, ink, captions} = this.#view, places = {...this.#places, hasValues: 0, forValue: 0};
    const keys = [[rowLabels, cell?.row], [columnLabels, cell?.col]].map((own) => JSON.stringify([own, places, ink, captions, density()]));
    if (keys[0] !== this.#labelKeys[0]) drawRowLabels(this.rowLabels, this.#view, this.#places, density(), cell?.row ?? -1);
    if (keys[1] !== this.#labelKeys[1]) drawColumnLabels(this.columnLabels, this.#view, this.#places, density(), cell?.col ?? -1);
    this.#labelKeys = keys;
  }

  #drawFrames(cell, frames) {
    const {width, height} = this.#places.cell;
    while (this.frames.children.length > frames.length) this.frames.lastChild.remove();
    while (this.frames.children.length < frames.length) this.frames.append(elementOf('div'));
    frames.forEach(({row, col, rows, cols, kind}, i) => {
      const frame = /** @type {HTMLElement} */ (this.frames.children[i]);
      frame.className = `frame ${kind}`;
      putAt(frame, {left: col * width, top: row * height, width: cols * width, height: rows * height});
    });
    this.mark.hidden = !cell;
    if (cell) putAt(this.mark, {left: cell.col * width, top: cell.row * height, width, height});
  }

  /** The palette from high (top) to low, with three numbers. */
  #drawBar() {
    const {table, range, ink} = this.#view, height = this.#places.height;
    const key = JSON.stringify([range, height, ink, table[0], table[384], density()]);
    if (this.#barKey === key) return;
    this.#barKey = key;
    const context = prepare(this.bar, BAR_WIDTH, height, density());
    drawBar(palette, table);
    context.save();
    context.translate(8, height);
    context.rotate(-Math.PI / 2);
    context.drawImage(palette, 0, 0, height, 6);
    context.restore();
    context.strokeStyle = ink.line;
    context.strokeRect(7.5, 0.5, 7, height - 1);
    context.fillStyle = ink.dim;
    context.font = '11px Inter, system-ui, sans-serif';
    context.textBaseline = 'middle';
    const ticks = height >= 40 ? [range[1], (range[0] + range[1]) / 2, range[0]] : [range[1], range[0]];
    for (const value of ticks) {
      const y = (1 - shareOf(range, value)) * height;
      context.fillText(tickNumber(value), 18, Math.min(height - 6, Math.max(6, y)), BAR_WIDTH - 18);
    }
  }

  /** The cell at a point of the window, or null. */
  cellAt({clientX, clientY}) {
    const box = this.canvas.getBoundingClientRect();
    const row = Math.floor((clientY - box.top) / box.height * this.#view.rows);
    const col = Math.floor((clientX - box.left) / box.width * this.#view.cols);
    return row >= 0 && col >= 0 && row < this.#view.rows && col < this.#view.cols ? {row, col} : null;
  }

  /** Puts an input over a cell, which holds `text`; `done(text, key)` gets what was typed. */
  type(cell, text, done) {
    const {width, height} = this.#places.cell;
    const input = elementOf('input', '', {class: 'cell-input', inputmode: 'text', 'aria-label': say('New number')});
    input.value = text;
    const wide = Math.max(72, width), high = Math.max(28, height);
    const left = Math.min(cell.col * width - (wide - width) / 2, this.#places.width - wide);
    putAt(input, {left: Math.max(-this.#places.left, left), top: cell.row * height - (high - height) / 2, width: wide, height: high});
    let isOpen = true;
    const close = (key) => {
      if (!isOpen) return;
      isOpen = false;
      const typed = input.value;
      input.remove();
      if (key !== 'blur') this.element.focus();
      if (key !== 'Escape') done(typed, key);
    };
    input.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (!['Enter', 'Tab', 'Escape'].includes(event.key)) return;
      event.preventDefault();
      close(event.key);
    });
    input.addEventListener('blur', () => close('blur'));
    for (const type of ['pointerdown', 'click', 'dblclick']) input.addEventListener(type, (event) => event.stopPropagation());
    this.cells.append(input);
    input.focus();
    if (text.length > 1) input.select();
  }

  #listen() {
    const {actions, cells} = this;
    cells.addEventListener('pointermove', (event) => {
      if (event.pointerType === 'mouse' && event.buttons === 0) actions.hover?.(this.cellAt(event));
    });
    cells.addEventListener('pointerleave', () => actions.hover?.(null));
    cells.addEventListener('dblclick', (event) => {
      const cell = this.cellAt(event);
      if (cell) actions.edit?.(cell, '');
    });
    cells.addEventListener('click', (event) => {
      const cell = this.cellAt(event);
      if (cell && !this.wasDragged) actions.select?.(cell);
    });
    if (actions.drag) this.#listenToDrags();
    this.element.addEventListener('keydown', (event) => this.#key_(event));
    this.element.addEventListener('focus', () => {
      if (this.element.matches(':focus-visible') && !this.#cell) actions.select?.({row: 0, col: 0});
    });
  }

  /** A mouse drags any cell; a finger the marked one, so that others can scroll. */
  #listenToDrags() {
    this.cells.addEventListener('pointerdown', (down) => {
      const cell = this.cellAt(down);
      const isFinger = down.pointerType === 'touch';
      this.wasDragged = false;
      if (!cell || down.button !== 0 || (isFinger && !this.actions.paints && down.target !== this.mark)) return;
      this.cells.setPointerCapture(down.pointerId);
      if (!isFinger) this.element.focus({preventScroll: true});
      this.#follow(down, cell);
    });
  }

  #follow(down, cell) {
    const stop = new AbortController();
    const listen = (target, type, heard) => target.addEventListener(type, heard, {signal: stop.signal});
    let begun = false;
    const end = (phase) => {
      stop.abort();
      if (begun) this.actions.drag(cell, phase, 0);
    };
    listen(this.cells, 'pointermove', (event) => {
      const way = down.clientY - event.clientY;
      if (!begun && Math.hypot(way, down.clientX - event.clientX) < 4) return;
      if (!begun) this.actions.drag(cell, 'begin', 0);
      begun = this.wasDragged = true;
      const factor = event.shiftKey ? 0.1 : event.ctrlKey ? 10 : 1;
      this.actions.drag(this.cellAt(event) ?? cell, 'move', way * STEP * factor);
    });
    listen(this.cells, 'pointerup', () => end('end'));
    listen(this.cells, 'pointercancel', () => end('cancel'));
    listen(document, 'keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      end('cancel');
    });
  }

  #key_(event) {
    if (event.altKey || event.metaKey || event.target !== this.element) return;
    const cell = this.#cell ?? {row: 0, col: 0};
    const next = cellAfter(cell, event.key, event.ctrlKey, [this.#view.rows, this.#view.cols]);
    if (next) {
      this.#cell = next;  // where the next key begins, which may come before the next picture
      this.actions.select?.(next);
      requestAnimationFrame(() => this.mark.scrollIntoView({block: 'nearest', inline: 'nearest'}));
    } else if (event.key === 'Enter' || event.key === 'F2') {
      this.actions.edit?.(cell, '');
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      this.actions.clear?.(cell);
    } else if (!event.ctrlKey && /^[-−+.,0-9∞]$/.test(event.key) && this.actions.edit && this.actions.types) {
      this.actions.edit(cell, event.key);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
