
// The words of the page in its language.

/** `english`, translated, with `values` in its places {}; what follows "##" only tells texts apart. */
function say(english, ...values) {
  const rest = values.values();
  return (data.words[english] ?? english.replace(/##.*/, '')).replaceAll('{}', () => rest.next().value);
}

/** One of two texts that begin with a count. */
const sayCount = (one, many, count) => say(count === 1 ? one : many, count);
