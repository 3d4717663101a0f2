// Damaged and hostile files, 2 000 of them, always the same: each is answered by a sentence or opened, and never ends the
// engine. node hostile.test.mjs ENGINE.wasm [HOW_MANY]
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import process from 'node:process';
import {test} from 'node:test';
import {ROOT, openEngine} from './opened_engine.mjs';

const engine = await openEngine(process.argv[2]);
const COUNT = Number(process.argv[3] ?? 2000);

/** Random numbers from 0 to below `end`: mulberry32. */
function randomFrom(seed) {
  return (end) => {
    seed = (seed + 0x6D2B79F5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % end;
  };
}

const PIECES = ['"', '{', '}', '[', ']', ',', ':', '\0', '\xff', '1e999', '-1', '99999999999', 'null', '<script>', '```lab\n',
  '../../', '\n\n# x\n', 'question', '= ', '\\', '[[[[[[[[', '0'.repeat(400)].map((text) => Buffer.from(text, 'latin1'));

function damaged(bytes, random) {
  let result = Buffer.from(bytes);
  for (let times = 1 + random(4); times > 0; --times) {
    const at = random(result.length + 1), end = Math.min(result.length, at + random(64));
    switch (random(5)) {
      case 0: result = result.subarray(0, at); break;
      case 1: result = Buffer.concat([result.subarray(0, at), result.subarray(end)]); break;
      case 2: result = Buffer.concat([result.subarray(0, at), PIECES[random(PIECES.length)], result.subarray(at)]); break;
      case 3: result = Buffer.concat([result.subarray(0, end), result.subarray(at)]); break;
      default: result = Buffer.from(result); if (at < result.length) result[at] ^= 1 << random(8);
    }
  }
  return result;
}

const named = (folder, ending) => readdirSync(`${ROOT}${folder}`).filter((name) => name.endsWith(ending) && name !== 'README.md')
  .map((name) => readFileSync(`${ROOT}${folder}/${name}`));
const sessions = [...named('assets/examples', '.json'), ...named('assets/lessons', '.json')];
const lessons = named('assets/lessons', '.md');
const gguf = named('app/tests/model/golden/gguf', '.gguf').filter((bytes) => bytes.length < 200000);
const MODEL = ['config.json', 'model.safetensors', 'tokenizer.json'];
const whole = Object.fromEntries(MODEL.map((name) => [name, readFileSync(`${ROOT}assets/models/induction/${name}`)]));

/** Asks, and returns the sentence of a refusal; anything but a refusal is a fault. */
function refusal(ask) {
  try {
    ask();
    return '';
  } catch (error) {
    assert.equal(error.constructor, Error, `${error.constructor.name}: ${error.message}`);
    assert.ok(error.message.length > 0);
    return error.message;
  }
}

function tryOut(number) {
  const random = randomFrom(number);
  const any = (list) => list[random(list.length)];
  switch (random(gguf.length > 0 ? 5 : 4)) {
    case 0:
      return refusal(() => engine.requestAbout(damaged(any(sessions), random), 'open'));
    case 1:
      engine.files.set('/given/lesson.md', damaged(any(lessons), random));
      return refusal(() => engine.request('begin_lesson', {source: '/given/lesson.md'}));
    case 2: {
      for (const name of MODEL) engine.files.set(`/given/model/${name}`, whole[name]);
      const name = any(MODEL);
      engine.files.set(`/given/model/${name}`, damaged(whole[name], random));
      return refusal(() => engine.request('open_model', {source: '/given/model', text: 'abcab'}));
    }
    case 3: {
      engine.request('example', {name: 'cat-sat'});
      const line = Buffer.from(JSON.stringify({do: 'set_cell', matrix: 'W_Q', head: 1, row: 0, col: 0, value: 1.5}));
      let command = {};
      try {
        command = JSON.parse(damaged(line, random).toString());
      } catch { /* no JSON: an empty command */ }
      return refusal(() => engine.request('apply', {command}));
    }
    default:
      engine.files.set('/given/model.gguf', damaged(any(gguf), random));
      return refusal(() => engine.request('open_model', {source: '/given/model.gguf'}));
  }
}

test(`${COUNT} damaged files`, () => {
  let refused = 0;
  for (let number = 0; number < COUNT; ++number) {
    try {
      if (tryOut(number)) ++refused;
    } catch (error) {
      throw new Error(`number ${number}: ${error.message}`, {cause: error});
    }
  }
  assert.ok(refused > COUNT / 4, `only ${refused} were refused`);
  engine.request('example', {name: 'refer'});  // it still answers
});
