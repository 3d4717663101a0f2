// The engine under Node, with the assets of the program.
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {Engine} from '../page/engine.js';
import {MemoryFiles} from '../page/wasi.js';

export const ROOT = new URL('../../../', import.meta.url).pathname;

/** Adds the files of a folder to those of the engine. */
export function addFolder(files, folder, to) {
  for (const name of readdirSync(folder)) {
    const path = `${folder}/${name}`;
    if (statSync(path).isDirectory()) addFolder(files, path, `${to}/${name}`);
    else files.set(`${to}/${name}`, new Uint8Array(readFileSync(path)));
  }
}

/** Starts the engine of the module at `path`. */
export function openEngine(path) {
  const files = new MemoryFiles();
  for (const folder of ['examples', 'languages', 'lessons', 'models', 'tokenizers'])
    addFolder(files, `${ROOT}assets/${folder}`, `/assets/${folder}`);
  const engine = Engine.start(readFileSync(path), files);
  return engine.then((opened) => Object.assign(opened, {files}));
}
