
// Numbers: out of base64, and into text as Attention Lab writes them.

/** The float32 values, least byte first, that `base64` stands for. */
function decodeFloats(base64) {
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

/**
 * JavaScript rounds a number half-way between two texts up, the program to the even one. `text` is
 * what JavaScript made, `rest` the exact digits that it rounded away.
 */
function roundedToEven(text, rest) {
  const last = Number(text.at(-1));
  return /^50*$/.test(rest) && last % 2 === 1 ? text.slice(0, -1) + (last - 1) : text;
}

/** `size` (not negative, below 1e21) with that many decimals. */
function decimalsOf(size, decimals) {
  const exact = size.toFixed(100);
  return roundedToEven(size.toFixed(decimals), exact.slice(exact.indexOf('.') + 1 + decimals));
}

/** `size` (not negative) as its digits, "1.25", and the exponent of 10. */
function scientificOf(size, decimals) {
  const [digits, exponent] = size.toExponential(decimals).split('e');
  const exact = size.toExponential(100).split('e')[0];
  return {digits: roundedToEven(digits, exact.slice(2 + decimals)), exponent: Number(exponent)};
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
function fixedText(value, decimals) {
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
function adaptiveText(value, decimals) {
  const size = Math.abs(value), digits = Math.max(1, decimals - 1), unit = 10 ** -decimals;
  const least = Math.max(unit, Math.min(0.01, 10 * unit));
  const isLarge = size + 0.05 * 10 ** -digits * least >= least;
  if (size === 0 || isLarge || !Number.isFinite(value)) return fixedText(value, decimals);
  const scientific = scientificOf(size, digits);
  return signed(value, `${scientific.digits}e${scientific.exponent}`);
}

/** With that many significant digits, without zeros at the end: "0.7", "1.2e+06". */
function significantText(value, digits) {
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
function shortestText(value) {
  if (!Number.isFinite(value)) return notFiniteText(value);
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  let digits = 1;
  while (digits < 9 && Math.fround(Number(size.toPrecision(digits))) !== size) ++digits;
  const [mantissa, exponent] = size.toExponential(digits - 1).split('e');
  const scientific = scientificText({digits: mantissa, exponent: Number(exponent)});
  if (Math.abs(exponent) > 20) return signed(value, scientific);
  const fixed = size.toFixed(Math.max(0, digits - 1 - Number(exponent)));
  return signed(value, fixed.length <= scientific.length ? fixed : scientific);
}
