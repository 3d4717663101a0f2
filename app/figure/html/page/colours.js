
// Colours: palettes, ranges and inks, by the rules of the program.

/** The 256 colours of a palette, 3 bytes each, from its hexadecimal text. */
export function paletteTable(hex) {
  const table = new Uint8Array(hex.length / 2);
  for (let i = 0; i < table.length; ++i) table[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return table;
}

/** The least range that holds both. */
export function united(a, b) {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

/** The range widened until `centre` is in its middle. */
export function centred([lo, hi], centre) {
  const reach = Math.max(Math.abs(lo - centre), Math.abs(hi - centre));
  return [centre - reach, centre + reach];
}

/** The least range with 0 in its middle that holds all finite values. */
export function evenRange(values) {
  let end = 0;
  for (const value of values) if (Number.isFinite(value)) end = Math.max(end, Math.abs(value));
  return end > 0 ? [-end, end] : [-1, 1];
}

/** The value below which that share of the sorted values lies, linear between neighbours. */
export function percentile(sorted, share) {
  const place = share * (sorted.length - 1), below = Math.floor(place);
  const low = sorted[below], high = sorted[Math.min(below + 1, sorted.length - 1)];
  return Math.fround(low + (high - low) * (place - below));
}

/** How the colours are spread over a range: distances from zero, in parts of the largest, and back. */
const LOG_REACH = 999;
const SPREADS = {
  sqrt: {to: (far) => Math.sqrt(far), from: (far) => far * far},
  log: {
    to: (far) => Math.log1p(LOG_REACH * far) / Math.log1p(LOG_REACH),
    from: (far) => Math.expm1(far * Math.log1p(LOG_REACH)) / LOG_REACH,
  },
};

/** The functions from a value to its place and back, and the places of the ends of the range. */
function placesOf([lo, hi, spread, zero]) {
  const reach = Math.max(Math.abs(lo - zero), Math.abs(hi - zero));
  const {to, from} = SPREADS[spread];
  const place = (value) => Math.sign(value - zero) * to(Math.abs(value - zero) / reach);
  const value = (at) => zero + Math.sign(at) * from(Math.abs(at)) * reach;
  return {place, value, low: place(lo), high: place(hi)};
}

const inside = (value, lo, hi) => Math.min(hi, Math.max(lo, value));

/** Where `value` lies in the range, [lo, hi, spread, zero], 0 … 1. */
export function shareOf(range, value) {
  const [lo, hi, spread] = range, width = hi - lo;
  if (!(width > 0) || !Number.isFinite(width) || Number.isNaN(value)) return 0;
  if (!SPREADS[spread]) return inside((value - lo) / width, 0, 1);
  const {place, low, high} = placesOf(range);
  return inside((place(inside(value, lo, hi)) - low) / (high - low), 0, 1);
}

/** The value at that share of the range, as a float32. */
export function valueAt(range, share) {
  const [lo, hi, spread] = range;
  if (!SPREADS[spread] || !(lo < hi)) return Math.fround(lo + (hi - lo) * share);
  const {value, low, high} = placesOf(range);
  return Math.fround(value(low + (high - low) * share));
}

/** The red, green and blue of `value`. */
export function colourOf(table, range, value) {
  const at = 3 * Math.round(255 * shareOf(range, value));
  return [table[at], table[at + 1], table[at + 2]];
}

/** Relative luminance as WCAG 2 defines it. */
export function luminance(colour) {
  const [r, g, b] = colour.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black or white: what reads better on `fill`. */
export function inkOn(fill) {
  const light = luminance(fill) + 0.05;
  return light / 0.05 >= 1.05 / light ? '#000' : '#fff';
}

/** Red, green and blue of "#rrggbb". */
export function channelsOf(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}
