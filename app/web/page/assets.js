// The files of the program that the page carries, compressed, and those that it was given.

import {byId} from '../../figure/html/page/elements.js';
import {MemoryFiles} from './wasi.js';

/** What the engine can read. */
export const files = new MemoryFiles();

/** What an element of the page holds, compressed: its bytes. It is needed once. */
export async function unpacked(id) {
  const text = atob(byId(id).textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  byId(id).remove();
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

/** Opens an archive: its files' paths and lengths as JSON on one line, then their bytes one after the other. */
async function openArchive(id) {
  if (!byId(id)) return;
  const bytes = await unpacked(id);
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
