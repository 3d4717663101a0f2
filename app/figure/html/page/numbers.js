
// Numbers: out of base64, and into text as Attention Lab writes them.

/** The float32 values, least byte first, that `base64` stands for. */
export function decodeFloats(base64) {
  const bytes = atob(base64);
  const view = new DataView(new ArrayBuffer(bytes.length));
  for (let i = 0; i < bytes.length; ++i) view.setUint8(i, bytes.charCodeAt(i));
  const values = new Float32Array(bytes.length / 4);
  for (let i = 0; i < values.length; ++i) values[i] = view.getFloat32(4 * i, true);
  return values;
}

/** NaN and the infinities as text; nothing for numbers. */
function notFiniteText(value) {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return '';
  return value > 0 ? '∞' : '−∞';
}

/** `size` (a float32, not negative) with as few significant digits as read back to it. */
function shortestDigits(size) {
  let digits = 1;
  while (digits < 9 && Math.fround(Number(size.toPrecision(digits))) !== size) ++digits;
  return digits;
}

/**
 * The number of those digits, a trace larger, so that half a unit of the last of its `decimals` is
 * rounded up: 0.145 to 0.15, though no float32 is exactly 0.145.
 */
function withHalvesAway(size, decimals) {
  if (size === 0) return 0;
  const read = Number(size.toPrecision(shortestDigits(size)));
  return (Math.fround(read) === size ? read : size) + 1e-6 * 10 ** -decimals;
}

/** `size` (not negative, below 1e21) with that many decimals. */
function decimalsOf(size, decimals) {
  return withHalvesAway(size, decimals).toFixed(decimals);
}

/** `size` (not negative) as its digits, "1.25", and the exponent of 10. */
function scientificOf(size, decimals) {
  const place = size === 0 ? decimals : decimals - Math.floor(Math.log10(size));
  const [digits, exponent] = withHalvesAway(size, place).toExponential(decimals).split('e');
  return {digits, exponent: Number(exponent)};
}

/** "1.2e+06". */
function scientificText({digits, exponent}) {
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** With its sign, which zero has not: "0.00" stays what it is. */
function signed(value, text) {
  return value < 0 && /[1-9]/.test(text) ? '-' + text : text;
}

/** With that many decimals, or as "1.2e+06" where that would be too long. */
export function fixedText(value, decimals) {
  if (!Number.isFinite(value)) return notFiniteText(value);
  const size = Math.abs(value);
  if (size < 1e21) {
    const text = decimalsOf(size, decimals);
    const length = text.length + (value < 0 || Object.is(value, -0) ? 1 : 0);
    if (length <= Math.max(7, decimals + 5)) return signed(value, text);
  }
  return signed(value, scientificText(scientificOf(size, 1)));
}

/** As fixedText, but "7.1e-3" for small numbers other than 0 that would show less than two digits. */
export function adaptiveText(value, decimals) {
  const size = Math.abs(value), digits = Math.max(1, decimals - 1), unit = 10 ** -decimals;
  const least = Math.max(unit, Math.min(0.01, 10 * unit));
  const isLarge = size + 0.05 * 10 ** -digits * least >= least;
  if (size === 0 || isLarge || !Number.isFinite(value)) return fixedText(value, decimals);
  const scientific = scientificOf(size, digits);
  return signed(value, `${scientific.digits}e${scientific.exponent}`);
}

/** With that many significant digits, without zeros at the end: "0.7", "1.2e+06". */
export function significantText(value, digits) {
  if (!Number.isFinite(value)) return notFiniteText(value);
  const size = Math.abs(value);
  const scientific = scientificOf(size, digits - 1);
  const withoutZeros = (text) => text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  if (scientific.exponent < -4 || scientific.exponent >= digits) {
    return signed(value, scientificText({...scientific, digits: withoutZeros(scientific.digits)}));
  }
  return signed(value, withoutZeros(decimalsOf(size, digits - 1 - scientific.exponent)));
}

/** With as few digits as read back to the same float32. */
export function shortestText(value) {
  if (!Number.isFinite(value)) return notFiniteText(value);
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  const digits = shortestDigits(size);
  const [mantissa, exponent] = size.toExponential(digits - 1).split('e');
  const scientific = scientificText({digits: mantissa, exponent: Number(exponent)});
  if (Math.abs(Number(exponent)) > 20) return signed(value, scientific);
  const fixed = size.toFixed(Math.max(0, digits - 1 - Number(exponent)));
  return signed(value, fixed.length <= scientific.length ? fixed : scientific);
}

/** A number as a table shows it, which is copied from: with the decimal mark of the page. */
export function withMark(text, comma) {
  return comma ? text.replace('.', ',') : text;
}

/** A number as it is read: with a minus sign, too. */
export function shownNumber(text, comma) {
  return withMark(text, comma).replaceAll('-', '−');
}
