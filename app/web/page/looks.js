// How numbers look: colours and inks of the theme, and the view of a matrix that map.js paints.

import {channelsOf, paletteTable} from '../../figure/html/page/colours.js';
import {remembered} from '../../figure/html/page/elements.js';
import {adaptiveText, shownNumber, significantText} from '../../figure/html/page/numbers.js';
import {lab, touch, view} from './store.js';

const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const moreContrast = matchMedia('(prefers-contrast: more)');
darkScheme.addEventListener('change', touch);
moreContrast.addEventListener('change', touch);

export const isDark = () => view.theme === 'dark' || (view.theme === 'automatic' && darkScheme.matches);
export const density = () => Math.min(4, window.devicePixelRatio || 1);
export const usesComma = () => view.language === 'de';

/** Everything that the colours of a map hang on. */
export const lookKey = () => [isDark(), moreContrast.matches, density(), view.palette, view.language];

const tableOf = remembered(paletteTable);

/** The inks of the theme, as the style sheet has them. */
const inksOf = remembered(() => {
  const style = getComputedStyle(document.documentElement);
  const ink = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: ink('text'), dim: ink('dim'), line: ink('line'), card: ink('card'), mark: ink('mark-text'), pin: ink('accent'),
    selected: ink('mark'), override: ink('mark'), accent: ink('accent'),
  };
});
export const inks = () => inksOf(JSON.stringify(lookKey()));

const written = new Map();

/** A number as it is written where there is room for a few digits. */
export function shortNumber(value) {
  let text = written.get(value);
  if (text === undefined) {
    if (written.size > 50000) written.clear();
    text = adaptiveText(value, 2);
    written.set(value, text);
  }
  return shownNumber(text, usesComma());
}

/** The same with more digits, for a number alone. */
export function longNumber(value) {
  return shownNumber(adaptiveText(value, 4), usesComma());
}

/** A number of a colour bar. */
export function tickNumber(value) {
  return shownNumber(significantText(value, 2), usesComma());
}

/** The colours of a palette in the theme. */
export function tableNamed(name) {
  return tableOf(lab.colours[isDark() ? 'dark' : 'light'].palettes[name]);
}

/** What map.js paints: `numbers` as the store gives them, with what else is known of their matrix. */
export function mapView(numbers, {palette, rowLabels, columnLabels, square = false, block = 0, range = numbers.range, marks = [],
                                  captions = {}, valueText = shortNumber, valuesIfRoom = true, tallest = 32, tight = true}) {
  const special = lab.colours[isDark() ? 'dark' : 'light'];
  return {
    values: numbers.values, rows: numbers.rows, cols: numbers.cols,
    square, block, rowLabels, columnLabels,
    numberColumns: columnLabels.every((label, i) => label === String(i)),
    captions,
    table: tableNamed(palette),
    range: [...range, 'linear', 0],
    marks,
    fill: channelsOf(special.fill),
    hatch: channelsOf(special.hatch),
    ink: inks(),
    valueText, valuesIfRoom, tallest, tight,
    zoom: 1,
  };
}

/** The palette of a stage: its own, unless one was chosen for all of that kind. */
export function paletteOf(stage) {
  if (!view.palette || (view.palette === 'red-blue') !== (stage.palette === 'red-blue')) return stage.palette;
  return view.palette;
}

/** What map.js paints of a stage. */
export function stageView(stage, numbers, more = {}) {
  return mapView(numbers, {
    range: lab.ranges[stage.name] ?? numbers.range,
    palette: paletteOf(stage),
    rowLabels: stage.rowLabels,
    columnLabels: stage.columnLabels,
    square: stage.keys,
    block: stage.name === 'concat' ? lab.state.config.d_v : 0,
    tallest: numbers.rows > 24 ? Math.max(5, Math.floor(360 / numbers.rows)) : Math.max(16, Math.min(30, Math.floor(180 / numbers.rows))),
    ...more,
  });
}
