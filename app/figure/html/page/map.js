
// The map: where everything goes, and how it is painted on canvases. What is painted is a "view":
// {values, rows, cols, square, block, rowLabels, columnLabels, numberColumns, captions, table, range,
//  marks, fill, hatch, ink: {text, dim, line, card, mark, pin, selected, override}, valueText (or null), zoom},
// and where cells are not to grow for their numbers, or to be no higher than that, or maps stand side
// by side, {valuesIfRoom, tallest, tight}.

import {colourOf, inkOn} from './colours.js';

export const LABEL_FONT =
    'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji"';
const LABEL_SIZE = 12.5;
const LABEL_LINE = 15;       // the least distance of two labels' baselines
const TIGHT_LINE = 12;     // … where maps stand side by side
const LEAST_VALUE_SIZE = 10;
const SLANT = 50 * Math.PI / 180;
const MOST_VALUES = 10000;   // beyond it no number is written into cells
const LONGEST_SIDE = 8000;   // pixels that browsers take for a canvas …
const LARGEST_AREA = 16e6;   // … and for its area

const ruler = document.createElement('canvas').getContext('2d');

/** Width of `text` at that size; `weight` such as "600 ". */
export function textWidth(text, size = LABEL_SIZE, weight = '') {
  ruler.font = `${weight}${size}px ${LABEL_FONT}`;
  return ruler.measureText(text).width;
}

/** `text`, or its beginning and "…" where it is wider than `room`; never half a character. */
export function shortened(text, room) {
  if (textWidth(text) <= room) return text;
  const characters = Array.from(new Intl.Segmenter().segment(text), (part) => part.segment);
  let few = 0, many = characters.length;
  while (many - few > 1) {
    const middle = (few + many) >> 1;
    if (textWidth(characters.slice(0, middle).join('') + '…') <= room) few = middle;
    else many = middle;
  }
  return characters.slice(0, few).join('') + '…';
}

/** Every how-manyeth of labels `step` pixels apart is drawn when each needs `need` pixels. */
function labelStride(step, need) {
  return Math.max(1, Math.ceil(need / step - 1e-9));
}

/** The same for numbers that count up: 1, 2, 5, 10, 20 … */
function numberStride(step, need) {
  const least = labelStride(step, need);
  for (let power = 1;; power *= 10) {
    for (const factor of [1, 2, 5]) if (factor * power >= least) return factor * power;
  }
}

/** Cell sizes that are whole pixels wherever cells are more than dots. */
function wholePixels(size) {
  return size >= 4 ? Math.floor(size) : size;
}

/** The room in a cell that the widest number needs; 0 where no numbers are to be written. */
function valueRoom(view) {
  if (!view.valueText || view.values.length > MOST_VALUES) return 0;
  let longest = '';
  for (const value of view.values) {
    const text = view.valueText(value);
    if (text.length > longest.length) longest = text;
  }
  return Math.ceil(textWidth(longest.replace(/[0-9]/g, '0'), LEAST_VALUE_SIZE)) + 5;
}

/** Width and height of a cell in a space `room` pixels wide. */
function cellSize(view, room, forValue) {
  const most = view.square ? Math.min(120, Math.max(48, 400 / view.cols)) : 88;
  const fit = Math.min(most, room / view.cols);
  let width = wholePixels(Math.max(fit, forValue));
  let height = view.square ? width : wholePixels(Math.min(view.tallest ?? 32, Math.max(640 / view.rows, forValue ? 19 : 0)));
  const sides = Math.max(width * view.cols, height * view.rows);
  const area = width * view.cols * height * view.rows;
  const zoom = Math.min(view.zoom, LONGEST_SIDE / sides, Math.sqrt(LARGEST_AREA / area));
  return {width: wholePixels(width * zoom), height: wholePixels(height * zoom)};
}

/** Labels level where all of them fit side by side, else slanting. */
function columnLabelPlaces(view, cellWidth, longest) {
  const widest = view.columnLabels.reduce((most, label) => Math.max(most, textWidth(label)), 0);
  const turned = !view.numberColumns && widest > cellWidth - 6;
  const length = turned ? Math.min(widest, longest) : widest;
  const height = turned ? length * Math.sin(SLANT) + LABEL_SIZE + 4 : LABEL_LINE + 6;
  return {turned, length, height: Math.ceil(height) + (view.captions.column ? LABEL_LINE + 4 : 0)};
}

/** Where everything of the map goes in `width` pixels. */
export function layoutMap(view, width) {
  const widest = view.rowLabels.reduce((most, label) => Math.max(most, textWidth(label, LABEL_SIZE, '600 ')), 0);
  const labels = Math.ceil(Math.min(widest, Math.max(view.tight ? 72 : 48, 0.26 * width), 190));
  const left = labels + 8 + (view.captions.row ? LABEL_LINE + 4 : 0);
  const forValue = valueRoom(view);
  const fits = forValue * view.cols <= LONGEST_SIDE;
  const cell = cellSize(view, width - left - 2, fits && !view.valuesIfRoom ? forValue : 0);
  const hasValues = forValue > 0 && cell.width >= forValue && cell.height >= LEAST_VALUE_SIZE + 4;
  return {
    left, labels, cell, hasValues, forValue,
    width: cell.width * view.cols,
    height: cell.height * view.rows,
    columns: columnLabelPlaces(view, cell.width, Math.min(120, Math.max(64, 0.2 * width))),
  };
}

/** Gives the canvas that size in CSS pixels; returns a context that paints in them. */
export function prepare(canvas, width, height, density) {
  const ratio = Math.min(density, Math.sqrt(LARGEST_AREA / Math.max(1, width * height)));
  return resized(canvas, Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)), [width, height]);
}

/** Makes the canvas that many pixels large, and empty; returns a context that paints in the units of `shown`, if given. */
function resized(canvas, width, height, shown) {
  const context = canvas.getContext('2d');
  const isAsLarge = canvas.width === width && canvas.height === height;
  if (isAsLarge && context.reset) context.reset();
  else Object.assign(canvas, {width, height});
  if (shown) {
    canvas.style.width = `${shown[0]}px`;
    canvas.style.height = `${shown[1]}px`;
    context.scale(width / shown[0], height / shown[1]);
  }
  return context;
}

const scratch = document.createElement('canvas');

/** A picture of the values, a pixel a cell, until the next one; `flat` gives −∞ the colour of its hatching from afar. */
function valueImage(view, flat) {
  const image = new ImageData(view.cols, view.rows);
  const mixed = view.fill.map((c, i) => (2 * c + view.hatch[i]) / 3);
  view.values.forEach((value, i) => {
    let colour;
    if (Number.isNaN(value)) colour = flat ? view.hatch : view.fill;
    else if (value === -Infinity) colour = flat ? mixed : view.fill;
    else colour = colourOf(view.table, view.range, value);
    image.data.set(colour, 4 * i);
    image.data[4 * i + 3] = 255;
  });
  resized(scratch, view.cols, view.rows).putImageData(image, 0, 0);
  return scratch;
}

/** Adds the rectangles of the cells whose value `is` so, those side by side as one. */
function addCells(context, view, {width, height}, is) {
  let any = false;
  for (let row = 0; row < view.rows; ++row) {
    for (let col = 0; col < view.cols; ++col) {
      const first = col;
      while (col < view.cols && is(view.values[row * view.cols + col])) ++col;
      if (col === first) continue;
      context.rect(first * width, row * height, (col - first) * width, height);
      any = true;
    }
  }
  return any;
}

/** Slanting lines over all cells that are −∞. */
function hatchCells(context, view, cell) {
  context.save();
  context.beginPath();
  if (addCells(context, view, cell, (value) => value === -Infinity)) {
    context.clip();
    const width = cell.width * view.cols, height = cell.height * view.rows;
    context.beginPath();
    for (let x = 0; x < width + height; x += 5) {
      context.moveTo(x, 0);
      context.lineTo(x - height, height);
    }
    context.strokeStyle = `rgb(${view.hatch})`;
    context.stroke();
  }
  context.restore();
}

/** A cross on each cell that is no number. */
function crossCells(context, view, {width, height}) {
  context.beginPath();
  view.values.forEach((value, i) => {
    if (!Number.isNaN(value)) return;
    const x = (i % view.cols) * width, y = Math.floor(i / view.cols) * height;
    context.moveTo(x, y);
    context.lineTo(x + width, y + height);
    context.moveTo(x + width, y);
    context.lineTo(x, y + height);
  });
  context.strokeStyle = `rgb(${view.hatch})`;
  context.stroke();
}

/** Fine lines between cells, and broad ones between the heads' blocks of columns. */
function separateCells(context, view, {width, height}) {
  context.fillStyle = view.ink.card;
  if (Math.min(width, height) >= 8) {
    for (let col = 1; col < view.cols; ++col) context.fillRect(col * width - 0.5, 0, 1, view.rows * height);
    for (let row = 1; row < view.rows; ++row) context.fillRect(0, row * height - 0.5, view.cols * width, 1);
  }
  if (!view.block || width < 4) return;
  for (let col = view.block; col < view.cols; col += view.block) {
    context.fillRect(col * width - 2, 0, 4, view.rows * height);
  }
}

/** The numbers, dark or light by the colour that they stand on. */
function writeValues(context, view, places) {
  const {width, height} = places.cell;
  const room = LEAST_VALUE_SIZE * (width - 5) / (places.forValue - 5);
  const size = Math.min(13, room, height - 4);
  context.font = `${size}px ${LABEL_FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  view.values.forEach((value, i) => {
    if (Number.isNaN(value) || value === -Infinity) return;
    context.fillStyle = inkOn(colourOf(view.table, view.range, value));
    context.fillText(view.valueText(value), (i % view.cols + 0.5) * width,
                     (Math.floor(i / view.cols) + 0.5) * height + 0.5);
  });
}

/** Frames around the cells that are marked, and a corner on those that were set by hand. */
function markCells(context, view, {width, height}) {
  for (const {kind, row, col} of view.marks) {
    const x = col * width, y = row * height, side = Math.min(width, height);
    if (kind === 'override') {
      const corner = Math.max(3, 0.32 * side);
      context.fillStyle = view.ink.override;
      context.beginPath();
      context.moveTo(x + width - corner, y);
      context.lineTo(x + width, y);
      context.lineTo(x + width, y + corner);
      context.fill();
    } else {
      const line = Math.min(4, Math.max(1.5, 0.1 * side));
      context.lineWidth = line;
      context.strokeStyle = view.ink[kind];
      context.strokeRect(x, y, width, height);
    }
  }
  context.lineWidth = 1;
}

/** The cells with everything in them. */
export function drawCells(canvas, view, places, density) {
  const {cell, width, height} = places;
  const context = prepare(canvas, width, height, density);
  const small = Math.min(cell.width, cell.height) < 4;
  context.imageSmoothingEnabled = Math.min(cell.width, cell.height) < 1;
  context.imageSmoothingQuality = 'high';
  context.drawImage(valueImage(view, small), 0, 0, width, height);
  if (!small) {
    hatchCells(context, view, cell);
    crossCells(context, view, cell);
  }
  separateCells(context, view, cell);
  if (places.hasValues) writeValues(context, view, places);
  markCells(context, view, cell);
  context.strokeStyle = view.ink.line;
  context.strokeRect(0.5, 0.5, width - 1, height - 1);
}

/** Which labels are drawn: that of the marked cell first, the others where they keep their distance. */
function chosenLabels(count, stride, marked) {
  const chosen = [];
  for (let i = 0; i < count; i += stride) {
    if (marked < 0 || i === marked || Math.abs(i - marked) >= stride) chosen.push(i);
  }
  if (marked >= 0 && !chosen.includes(marked)) chosen.push(marked);
  return chosen;
}

/** Sets the ink and weight of a label, which stands out when its row or column is marked. */
function inkLabel(context, view, isMarked) {
  context.font = `${isMarked ? '600 ' : ''}${LABEL_SIZE}px ${LABEL_FONT}`;
  context.fillStyle = isMarked ? view.ink.mark : view.ink.text;
}

/** Row labels left of the cells; `marked` is a row, or −1. */
export function drawRowLabels(canvas, view, places, density, marked) {
  const {left, labels, cell, height} = places;
  const context = prepare(canvas, left, height, density);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  const stride = rowStride(view, places);
  for (const row of chosenLabels(view.rows, stride, marked)) {
    inkLabel(context, view, row === marked);
    const y = Math.min(Math.max((row + 0.5) * cell.height, 7), Math.max(7, height - 7));
    context.fillText(shortened(view.rowLabels[row], labels), left - 7, y + 0.5);
  }
  if (!view.captions.row) return;
  context.translate(10, height / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = 'center';
  context.fillStyle = view.ink.dim;
  context.font = `${LABEL_SIZE}px ${LABEL_FONT}`;
  context.fillText(view.captions.row, 0, 0);
}

/** Every how-manyeth row is labelled; the same as columns where both are tokens. */
function rowStride(view, places) {
  const own = labelStride(places.cell.height, view.tight ? TIGHT_LINE : LABEL_LINE);
  return view.square ? Math.max(own, ownColumnStride(view, places)) : own;
}

/** Every how-manyeth column is labelled, by the room of columns alone. */
function ownColumnStride(view, places) {
  const {turned, length} = places.columns;
  const need = turned ? (view.tight ? TIGHT_LINE : LABEL_LINE) / Math.sin(SLANT) : length + 6;
  return (view.numberColumns ? numberStride : labelStride)(places.cell.width, need);
}

/** Column labels below the cells; `marked` is a column, or −1. */
export function drawColumnLabels(canvas, view, places, density, marked) {
  const context = prepare(canvas, places.left + places.width, places.columns.height, density);
  const own = ownColumnStride(view, places);
  const stride = view.square ? Math.max(own, rowStride(view, places)) : own;
  for (const col of chosenLabels(view.cols, stride, marked)) {
    inkLabel(context, view, col === marked);
    const x = places.left + (col + 0.5) * places.cell.width;
    (places.columns.turned ? turnedLabel : levelLabel)(context, view.columnLabels[col], x, places);
  }
  if (!view.captions.column) return;
  context.textAlign = 'center';
  context.fillStyle = view.ink.dim;
  context.font = `${LABEL_SIZE}px ${LABEL_FONT}`;
  context.fillText(view.captions.column, places.left + places.width / 2, places.columns.height - 5);
}

/** A label with its middle under its column, unless it would end beyond the map. */
function levelLabel(context, text, x, places) {
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  const end = places.left + places.width - context.measureText(text).width / 2;
  context.fillText(text, Math.max(places.left, Math.min(x, end)), LABEL_LINE + 1);
}

/** A slanting label that ends under its column, and begins no further left than the map does. */
function turnedLabel(context, text, x, places) {
  const room = Math.min(places.columns.length, (x - 8) / Math.cos(SLANT));
  context.save();
  context.translate(x + 4, 10);
  context.rotate(-SLANT);
  context.textAlign = 'right';
  context.textBaseline = 'alphabetic';
  context.fillText(shortened(text, room), 0, 0);
  context.restore();
}

/** A small picture of a whole map, without labels. */
export function drawThumbnail(canvas, view) {
  const width = 208, height = Math.round(Math.min(208, Math.max(60, width * view.rows / view.cols)));
  const context = resized(canvas, width, view.square ? Math.round(width * Math.min(1.5, view.rows / view.cols)) || 1 : height);
  context.imageSmoothingEnabled = view.cols > width || view.rows > canvas.height;
  context.imageSmoothingQuality = 'high';
  context.drawImage(valueImage(view, true), 0, 0, canvas.width, canvas.height);
}

/** The palette from low (left) to high (right). */
export function drawBar(canvas, table) {
  const context = resized(canvas, 256, 1);
  const image = new ImageData(256, 1);
  for (let i = 0; i < 256; ++i) image.data.set([table[3 * i], table[3 * i + 1], table[3 * i + 2], 255], 4 * i);
  context.putImageData(image, 0, 0);
}

/** One cell that no colour stands for, for the legend, or one with marks. */
export function drawSample(canvas, view, value, marks, density) {
  const one = {...view, values: [value], rows: 1, cols: 1, block: 0, marks};
  drawCells(canvas, one, {cell: {width: 15, height: 15}, width: 15, height: 15, hasValues: false}, density);
}
