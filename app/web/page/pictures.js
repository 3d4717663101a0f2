// What a map is exported as: PNG, SVG, CSV.

import {colourOf, inkOn} from '../../figure/html/page/colours.js';
import {elementOf} from '../../figure/html/page/elements.js';
import {LABEL_FONT, drawCells, drawColumnLabels, drawRowLabels, layoutMap, shortened} from '../../figure/html/page/map.js';
import {shortestText} from '../../figure/html/page/numbers.js';
import {stageView} from './looks.js';
import {stageTitle} from './stages.js';
import {stageNumbers} from './store.js';

const WIDTH = 720;   // of a picture, without its margins
const MARGIN = 16;
const TITLE = 34;

function layoutOf(stage, head) {
  const shown = stageView(stage, stageNumbers(stage, head), {tallest: 32, tight: false});
  return {shown, places: layoutMap(shown, WIDTH)};
}

/** The map as PNG, twice as fine as on a screen. */
export async function pngOf(stage, head) {
  const {shown, places} = layoutOf(stage, head), fine = 2;
  const paint = (draw, ...more) => {
    const canvas = elementOf('canvas');
    draw(canvas, shown, places, fine, ...more);
    return canvas;
  };
  const parts = [paint(drawRowLabels, -1), paint(drawCells), paint(drawColumnLabels, -1)];
  const canvas = elementOf('canvas');
  canvas.width = fine * (places.left + places.width + 2 * MARGIN);
  canvas.height = fine * (TITLE + places.height + places.columns.height + 2 * MARGIN);
  const context = canvas.getContext('2d');
  context.fillStyle = shown.ink.card;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(fine, fine);
  context.fillStyle = shown.ink.text;
  context.font = `600 16px ${LABEL_FONT}`;
  context.fillText(stageTitle(stage, head), MARGIN, MARGIN + 16);
  const top = MARGIN + TITLE;
  const put = (part, x, y) => context.drawImage(part, x, y, part.width / fine, part.height / fine);
  put(parts[0], MARGIN, top);
  put(parts[1], MARGIN + places.left, top);
  put(parts[2], MARGIN, top + places.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

const escaped = (text) => text.replace(/[&<>"]/g, (mark) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'}[mark]));
const hexOf = (colour) => `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

/** The map as SVG: a rectangle for each cell, with its exact value as its title. */
export function svgOf(stage, head) {
  const {shown, places} = layoutOf(stage, head);
  const {width, height} = places.cell, left = MARGIN + places.left, top = MARGIN + TITLE;
  const text = (x, y, words, attributes) => `<text x="${x}" y="${y}" ${attributes}>${escaped(words)}</text>`;
  const parts = [text(MARGIN, MARGIN + 16, stageTitle(stage, head), `font-size="16" font-weight="600" fill="${shown.ink.text}"`)];
  shown.values.forEach((value, i) => {
    const col = i % shown.cols, row = Math.floor(i / shown.cols);
    const colour = Number.isFinite(value) ? colourOf(shown.table, shown.range, value) : Array.from(shown.fill);
    const x = left + col * width, y = top + row * height;
    parts.push(`<rect x="${x}" y="${y}" width="${width - 1}" height="${height - 1}" fill="${hexOf(colour)}"><title>${
        escaped(`${shown.rowLabels[row]}, ${shown.columnLabels[col]}: ${shortestText(value)}`)}</title></rect>`);
    if (places.hasValues && Number.isFinite(value)) {
      parts.push(text(x + width / 2, y + height / 2 + 4, shown.valueText(value), `font-size="10" text-anchor="middle" fill="${inkOn(colour)}"`));
    }
  });
  shown.rowLabels.forEach((label, row) => parts.push(text(
      left - 7, top + (row + 0.5) * height + 4, shortened(label, places.labels), `font-size="12" text-anchor="end" fill="${shown.ink.text}"`)));
  shown.columnLabels.forEach((label, col) => {
    const x = left + (col + 0.5) * width, y = top + places.height + 14;
    parts.push(text(x, y, label, `font-size="12" fill="${shown.ink.text}" ` + (places.columns.turned ?
        `text-anchor="end" transform="rotate(-50 ${x} ${y})"` : 'text-anchor="middle"')));
  });
  const whole = [places.left + places.width + 2 * MARGIN, TITLE + places.height + places.columns.height + 2 * MARGIN + 60];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${whole[0]}" height="${whole[1]}" viewBox="0 0 ${whole[0]} ${whole[1]}" ` +
      `font-family="Inter, system-ui, sans-serif"><rect width="100%" height="100%" fill="${shown.ink.card}"/>${parts.join('\n')}</svg>\n`;
}

/** The numbers as CSV with the labels of rows and columns; each reads back to the same float32. */
export function csvOf(stage, head) {
  const {values, rows, cols} = stageNumbers(stage, head);
  const field = (text) => /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const number = (value) => Number.isFinite(value) ? shortestText(value) : String(value).replace('Infinity', 'inf').replace('NaN', 'nan');
  const lines = [['', ...stage.columnLabels.map(field)]];
  for (let row = 0; row < rows; ++row) {
    lines.push([field(stage.rowLabels[row]), ...Array.from(values.subarray(row * cols, (row + 1) * cols), number)]);
  }
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}
