// What the file of the page brings along besides the program: a session or a lesson that it opens with, and files that these
// name. app/handout writes it, see the README there.

import {byId} from '../../figure/html/page/elements.js';
import {say} from '../../figure/html/page/words.js';
import {files} from './assets.js';

const GIVEN_SESSION = '/given/session.json';

/** The bytes that base64 of gzip holds. */
async function unfolded(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

/** A short name of a text, FNV-1a of its beginning. */
function nameOf(text) {
  let hash = 2166136261;
  for (let i = 0; i < Math.min(text.length, 1e6); ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return (hash >>> 0).toString(16);
}

/**
 * Adds what the page brings along to the files that the engine reads. What it opens with: {path, language, name}, where `path`
 * ends in ".md" for a lesson and in ".json" for a session, `language` is undefined where nobody has chosen one, and `name` is
 * another for pages that bring other things along; null when it brings nothing along. Throws an error with a sentence when that
 * is damaged.
 */
export async function takeGiven() {
  const element = byId('given-data'), session = byId('attention-lab-session');
  if (!element) return null;
  try {
    const {path, language, texts = {}, packed = {}} = JSON.parse(element.textContent);
    for (const [name, text] of Object.entries(texts)) files.set(name, text);
    for (const [name, text] of Object.entries(packed)) files.set(name, await unfolded(text));
    if (session) files.set(GIVEN_SESSION, session.textContent);
    return {path, language, name: nameOf((session?.textContent ?? '') + element.textContent)};
  } catch {
    throw new Error(say('What this page brings along is damaged: its file may have been cut.'));
  } finally {
    element.remove();
  }
}
