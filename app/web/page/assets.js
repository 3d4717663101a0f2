// The files of the program that the page carries, compressed, and those that it was given.

import {byId} from '../../figure/html/page/elements.js';
import {MemoryFiles} from './wasi.js';

/** What the engine can read. */
export const files = new MemoryFiles();

/** The bytes of an element's Base64. They are needed once. */
function bytesIn(id) {
  const text = byId(id).textContent.trim();
  byId(id).remove();
  // @ts-ignore: newer than the compiler's lists
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** What an element of the page holds, compressed as browsers do it: its bytes. */
async function unpacked(id) {
  const stream = new Blob([bytesIn(id)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The module of the engine. It is packed by LZMA, which takes a third less, and a small module to unpack it stands before it. */
export async function unpackedEngine() {
  const {instance} = await WebAssembly.instantiate(bytesIn('unpack-data'));
  const {memory, room, unpack} = /** @type {any} */ (instance.exports);
  const size = Number(byId('engine-data').dataset.size), packed = bytesIn('engine-data');
  const from = room(packed.length), to = room(size);
  if (from === 0 || to === 0) throw new Error('there is not enough memory for the engine');
  new Uint8Array(memory.buffer).set(packed, from);
  if (!unpack(from, packed.length, to, size)) throw new Error('the engine in this file is damaged');
  return new Uint8Array(memory.buffer, to, size);
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
