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

/** A text with the places of its bytes in UTF-8 as places of JavaScript's characters, and the other way round. */
class Utf8Text {
  constructor(text) {
    this.text = text;
    this.byteAt = new Uint32Array(text.length + 1);  // by place in JavaScript
    let bytes = 0;
    for (let i = 0; i < text.length;) {
      const point = text.codePointAt(i), units = point > 0xFFFF ? 2 : 1;
      for (let unit = 0; unit < units; ++unit) this.byteAt[i + unit] = bytes;
      bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      i += units;
    }
    this.byteAt[text.length] = bytes;
  }

  /** The place in JavaScript of a byte at which a character begins. */
  placeOf(byte) {
    let low = 0, high = this.text.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.byteAt[middle] < byte) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Values by number, for those who cannot hold them. */
class Numbered {
  #values = new Map();
  #next = 0;

  add(value) {
    this.#values.set(++this.#next, value);
    return this.#next;
  }
  get(number) {
    return this.#values.get(number);
  }
  delete(number) {
    this.#values.delete(number);
  }
}

/** The title case of a character where that is one character. */
function titleOf(point) {
  // Three letters of Unicode are two, of which only the first becomes large, each in three spellings.
  for (const [first, title] of [[0x1C4, 0x1C5], [0x1C7, 0x1C8], [0x1CA, 0x1CB], [0x1F1, 0x1F2]])
    if (point >= first && point <= first + 2) return title;
  if (point >= 0x10D0 && point <= 0x10FF) return point;  // Georgian has no title case
  const upper = String.fromCodePoint(point).toUpperCase();
  const first = upper.codePointAt(0);
  return upper.length === String.fromCodePoint(first).length ? first : point;
}

/** The functions of the import "unicode"; `memory()` is the memory of the module. */
export function unicodeImports(memory) {
  const expressions = new Numbered(), searches = new Numbered();
  const textAt = (at, size) => new TextDecoder('utf-8', {ignoreBOM: true}).decode(
      new Uint8Array(memory().buffer, at, size).slice());
  return {
    title: titleOf,
    decompose(point, compatible, result) {
      const parts = [...String.fromCodePoint(point).normalize(compatible ? 'NFKD' : 'NFD')];
      const out = new DataView(memory().buffer);
      parts.forEach((part, i) => out.setInt32(result + 4 * i, part.codePointAt(0), true));
      return parts.length;
    },
    compose(first, second) {
      const parts = String.fromCodePoint(first) + String.fromCodePoint(second);
      const whole = [...parts.normalize('NFC')];
      // Marks of the first must not have changed places with the second.
      const kept = whole.length === 1 && whole[0].normalize('NFD') ===
          String.fromCodePoint(first).normalize('NFD') + String.fromCodePoint(second).normalize('NFD');
      return kept ? whole[0].codePointAt(0) : -1;
    },
    new_expression(text, size) {
      try {
        return expressions.add(new RegExp(textAt(text, size), 'gsu'));
      } catch {
        return -1;
      }
    },
    forget_expression: (number) => expressions.delete(number),
    begin_search: (number, text, size) =>
      searches.add({expression: expressions.get(number), text: new Utf8Text(textAt(text, size))}),
    end_search: (number) => searches.delete(number),
    search(number, from, range) {
      const {expression, text} = searches.get(number);
      expression.lastIndex = text.placeOf(from);
      const match = expression.exec(text.text);
      if (!match) return 0;
      const out = new DataView(memory().buffer);
      out.setInt32(range, text.byteAt[match.index], true);
      out.setInt32(range + 4, text.byteAt[match.index + match[0].length], true);
      return 1;
    },
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
