// The engine: the program's own C++, in WebAssembly. See app/web/engine/exports.cpp for its functions.

import {MemoryFiles, wasiImports} from './wasi.js';
import {unicodeImports} from './unicode.js';

/** What is open, and everything that is computed of it. */
export class Engine {
  /** @type {any} */
  exports;

  /** Starts the engine. `wasm` are the bytes of its module, `files` what it can read. */
  static async start(wasm, files = new MemoryFiles(), print = console.log) {
    const engine = new Engine();
    const memory = () => engine.exports.memory;
    const imports = {wasi_snapshot_preview1: wasiImports(memory, files, print), unicode: unicodeImports(memory)};
    const {instance} = await WebAssembly.instantiate(wasm, imports);
    engine.exports = /** @type {any} */ (instance.exports);
    engine.exports._initialize();
    return engine;
  }

  /** Answers a request, see requests.cpp. Throws Error with a sentence for a person. */
  request(name, members = {}) {
    const bytes = new TextEncoder().encode(JSON.stringify({do: name, ...members}));
    const at = this.exports.lab_request(bytes.length);  // before the buffer is asked for: memory may grow
    new Uint8Array(this.exports.memory.buffer).set(bytes, at);
    const size = this.exports.lab_answer();
    const answer = JSON.parse(this.#text(this.exports.lab_text(), size));
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  /** The same, about the bytes of a file. */
  requestAbout(bytes, name, members = {}) {
    const at = this.exports.lab_input(bytes.length);
    new Uint8Array(this.exports.memory.buffer).set(bytes, at);
    return this.request(name, members);
  }

  /** The bytes that the last request has made. */
  output() {
    const size = this.exports.lab_output_size();
    return new Uint8Array(this.exports.memory.buffer, this.exports.lab_output(), size).slice();
  }

  /** The numbers of a stage: {rows, cols, range, values}, a copy; null when there are none. */
  stage(id, head) {
    return this.#numbers(this.exports.lab_stage(id, head));
  }

  /** The numbers of an editable matrix. */
  matrix(id, head) {
    return this.#numbers(this.exports.lab_matrix(id, head));
  }

  /** The numbers of a stage of the state that was kept. */
  keptStage(id, head) {
    return this.#numbers(this.exports.lab_kept_stage(id, head));
  }

  /** How far a stage is from the kept state, by the words that are shown. */
  difference(id, head) {
    return this.#numbers(this.exports.lab_difference(id, head));
  }

  /** The attention weights of a head of a trained model; `sublayer` as in the state's "layers". */
  modelWeights(sublayer, layer, head) {
    return this.#numbers(this.exports.lab_model_weights(sublayer, layer, head));
  }

  #numbers(at) {
    if (at === 0) return null;
    const rows = this.exports.lab_rows(), cols = this.exports.lab_columns();
    const range = [this.exports.lab_low(), this.exports.lab_high()];
    return {rows, cols, range, values: new Float32Array(this.exports.memory.buffer, at, rows * cols).slice()};
  }

  #text(at, size) {
    return new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, at, size).slice());
  }
}
