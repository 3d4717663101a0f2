
// The words of the page in its language.

/** `english`, translated, with `values` in its places {}; what follows "##" only tells texts apart. */
function say(english, ...values) {
  const rest = values.values();
  return (data.words[english] ?? english.replace(/##.*/, '')).replaceAll('{}', () => rest.next().value);
}

/** One of two texts that begin with a count. */
const sayCount = (one, many, count) => say(count === 1 ? one : many, count);

/** A token or name with its position: "it (7)"; a bare number where there are no names. */
function labelAndPlace(names, kind, labels, i) {
  return names[kind] ? `\u2068${labels[i]}\u2069 (${i})` : String(i);
}
