// Runs a test program that was compiled for WebAssembly, with its arguments: node run.mjs PROGRAM [ARGUMENT...]
import {readFile} from 'node:fs/promises';
import process from 'node:process';
import {WASI} from 'node:wasi';
import {unicodeImports} from '../page/unicode.js';

const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({version: 'preview1', args: [program, ...rest], env: process.env, preopens: {'/': '/'}});
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(
    module, {wasi_snapshot_preview1: wasi.wasiImport, unicode: unicodeImports(() => instance.exports.memory)});
process.exit(wasi.start(instance));
