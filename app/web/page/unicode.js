// Characters and texts, for the engine: what ICU tells the program at home, told by the browser.

// The general categories, numbered as ICU's UCharCategory.
const CATEGORIES = [
  'Cn', 'Lu', 'Ll', 'Lt', 'Lm', 'Lo', 'Mn', 'Me', 'Mc', 'Nd', 'Nl', 'No', 'Zs', 'Zl', 'Zp',
  'Cc', 'Cf', 'Co', 'Cs', 'Pd', 'Ps', 'Pe', 'Pc', 'Po', 'Sm', 'Sc', 'Sk', 'So', 'Pi', 'Pf',
].map((name) => new RegExp(`^\\p{${name}}$`, 'u'));

// Bits above the category, in the order of app/web/unicode/characters.h.
const PROPERTIES = ['White_Space', 'Default_Ignorable_Code_Point', 'Cased'].map((name) => new RegExp(`^\\p{${name}}$`, 'u'));

const known = new Map();

/** The category of a character and its properties, as one number. */
function propertiesOf(point) {
  let bits = known.get(point);
  if (bits !== undefined) return bits;
  const text = point >= 0 && point <= 0x10FFFF ? String.fromCodePoint(point) : '';
  bits = Math.max(0, CATEGORIES.findIndex((category) => category.test(text)));
  PROPERTIES.forEach((property, i) => {
    if (property.test(text)) bits |= 1 << (8 + i);
  });
  known.set(point, bits);
  return bits;
}

/** The character in lower case where that is one character. */
function lowerOf(point) {
  const lower = String.fromCodePoint(point).toLowerCase();
  const first = lower.codePointAt(0);
  return lower.length === String.fromCodePoint(first).length ? first : point;
}

const segmenters = new Map();

/** The segmenter of words, or of characters, for no language in particular. */
function segmenterOf(granularity) {
  if (!segmenters.has(granularity)) segmenters.set(granularity, new Intl.Segmenter('und', {granularity}));
  return segmenters.get(granularity);
}

/** How many bytes `text` has in UTF-8. */
function bytesOf(text) {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0);
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** The functions of the import "unicode"; `memory()` is the memory of the module. */
export function unicodeImports(memory) {
  return {
    properties: propertiesOf,
    lower: lowerOf,
    in_case(upper, text, size, result) {
      const decoded = new TextDecoder().decode(new Uint8Array(memory().buffer, text, size).slice());
      const changed = new TextEncoder().encode(upper ? decoded.toUpperCase() : decoded.toLowerCase());
      new Uint8Array(memory().buffer).set(changed, result);
      return changed.length;
    },
    segments(words, text, size, ends) {
      const decoded = new TextDecoder().decode(new Uint8Array(memory().buffer, text, size).slice());
      const out = new DataView(memory().buffer);
      let end = 0, count = 0;
      for (const {segment} of segmenterOf(words ? 'word' : 'grapheme').segment(decoded)) {
        end += bytesOf(segment);
        out.setInt32(ends + 4 * count++, end, true);
      }
      return count;
    },
  };
}
