
// The words of the page in its language.

/** `english`, translated, with `values` in its places {}; what follows "##" only tells texts apart. */
function say(english, ...values) {
  const rest = values.values();
  return (data.words[english] ?? english.replace(/##.*/, '')).replaceAll('{}', () => rest.next().value);
}

/** One of two texts that begin with a count. */
const sayCount = (one, many, count) => say(count === 1 ? one : many, count);

/** "Head 1", or its name alone where heads have names, such as "L0H3". */
const headTitle = (head) => data.headNames[head] ?? say('Head {}', head + 1);

/** The same within a sentence. */
const headWords = (head) => data.headNames[head] ?? say('head {}', head + 1);

/** What tells heads apart: their number, or their name. */
const headNumber = (head) => data.headNames[head] ?? String(head + 1);

/** A token or name with its position: "it (7)"; a bare number where there are no names. */
function labelAndPlace(names, kind, labels, i) {
  return names[kind] ? `\u2068${labels[i]}\u2069 (${i})` : String(i);
}
