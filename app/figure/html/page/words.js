
// The words of the page in its language.

let table = {};

/** The words that say() gives: those of a language by their English. */
export function useWords(words) {
  table = words;
}

/** `english`, translated, with `values` in its places {} or {0}, {1}; what follows "##" only tells texts apart. */
export function say(english, ...values) {
  const rest = values.values();
  return (table[english] ?? english.replace(/##.*/, '')).replace(/\{([0-9]?)\}/g, (_, place) => {
    return place === '' ? rest.next().value : values[Number(place)];
  });
}

/** One of two texts that begin with a count. */
export const sayCount = (one, many, count) => say(count === 1 ? one : many, count);

/** `text`, kept apart from the writing direction around it. */
export const isolated = (text) => `\u2068${text}\u2069`;

/** "it → animal" of two texts that are kept apart: the query stands left in every script. */
export const pairWords = (query, key) => `\u2066${query} → ${key}\u2069`;

/** A label with its position: "it (7)". */
export const labelAndPlace = (label, i) => `${isolated(label)} (${i})`;
