// The files of the program that the page carries, compressed, and those that it was given.

import {byId} from '../../figure/html/page/elements.js';
import {MemoryFiles} from './wasi.js';

/** What the engine can read. */
export const files = new MemoryFiles();

/** The bytes that a text in base64 stands for. */
function bytesOfText(text) {
  // @ts-ignore: newer than the compiler's lists
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** What an element of the page holds, compressed, as it is unpacked. It is needed once. */
export function unpacked(id, type = 'application/octet-stream') {
  const stream = new Blob([bytesOfText(byId(id).textContent.trim())]).stream().pipeThrough(new DecompressionStream('gzip'));
  byId(id).remove();
  return new Response(stream, {headers: {'Content-Type': type}});
}

/** Opens an archive: its files' paths and lengths as JSON on one line, then their bytes one after the other. */
async function openArchive(id) {
  if (!byId(id)) return;
  const bytes = new Uint8Array(await unpacked(id).arrayBuffer());
  const end = bytes.indexOf(10);
  let at = end + 1;
  for (const [path, length] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))) {
    files.set(path, bytes.slice(at, at + length));
    at += length;
  }
}

export const openAssets = () => openArchive('assets-data');

let models = null;

/** Unpacks the models that the page carries, once they are needed. */
export function needModels() {
  models ??= openArchive('models-data');
  return models;
}

/** A file as text; undefined when there is none. */
export function textOf(path) {
  const bytes = files.get(path);
  return bytes && new TextDecoder().decode(bytes);
}
