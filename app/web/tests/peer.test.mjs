// The engine in WebAssembly beside the same as a program of this machine (web_peer): numbers within 1e-5, sessions byte for
// byte, texts equal. node peer.test.mjs ENGINE.wasm; skipped (77) where the program is not built.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import process from 'node:process';
import {test} from 'node:test';
import {ROOT, openEngine} from './opened_engine.mjs';

const PEER = [process.env.WEB_PEER, ...['release', 'ci', 'dev'].map((preset) => `${ROOT}build/${preset}/bin/web_peer`)]
  .find((path) => path && existsSync(path));
if (!PEER) process.exit(77);

const engine = await openEngine(process.argv[2]);

/** What the engine answers to a request of the form that web_peer reads. */
function answerHere({do: name, input, numbers, ...members}) {
  let answer;
  try {
    answer = input ? engine.requestAbout(readFileSync(input), name, members) : engine.request(name, members);
  } catch (error) {
    answer = {error: error.message};
  }
  if (numbers) answer.numbers = numbers.map(([stage, head]) => [...engine.stage(stage, head)?.values ?? []]);
  const output = engine.output();
  if (output.length > 0) answer.output = new TextDecoder().decode(output);
  return answer;
}

function answersThere(requests) {
  const run = spawnSync(PEER, {
    input: requests.map((request) => JSON.stringify(request)).join('\n'),
    env: {...process.env, ATTENTION_LAB_ASSETS: `${ROOT}assets`}, maxBuffer: 1 << 30});
  assert.equal(run.status, 0, run.stderr?.toString());
  return run.stdout.toString().trimEnd().split('\n').map((line) => JSON.parse(line));
}

// Where numbers stand in texts they may differ in their last digit.
const NUMBER = /[−-]?\d+(?:[.,]\d+)?(?:e[−-]?\d+)?/g;
const numbersIn = (text) => [...text.matchAll(NUMBER)].map(([digits]) => Number(digits.replace('−', '-').replace(',', '.')));
const near = (a, b) => Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a), Math.abs(b));
const UNSTABLE = new Set(['microseconds', 'bytes']);  // and what hangs on where the assets are
const local = (text) => text.replaceAll(`${ROOT}assets`, '/assets');

let compared = 0, largest = 0;

function compare(here, there, path) {
  if (typeof here === 'number' && typeof there === 'number') {
    ++compared;
    largest = Math.max(largest, Math.abs(here - there) / Math.max(1, Math.abs(there)));
    return assert.ok(near(here, there), `${path}: ${here} here, ${there} there`);
  }
  if (typeof here === 'string' && typeof there === 'string') {
    there = local(there);
    if (here === there) return;
    assert.equal(here.replace(NUMBER, '#'), there.replace(NUMBER, '#'), path);
    const a = numbersIn(here), b = numbersIn(there);
    return a.forEach((number, i) => assert.ok(Math.abs(number - b[i]) <= 2e-4 * Math.max(1, Math.abs(b[i])),
      `${path}: ${here} here, ${there} there`));
  }
  if (here === null || there === null || typeof here !== 'object') return assert.deepEqual(here, there, path);
  assert.deepEqual(Object.keys(here).sort(), Object.keys(there).sort(), path);
  for (const key of Object.keys(here)) if (!UNSTABLE.has(key)) compare(here[key], there[key], `${path}/${key}`);
}

function compareAnswers(requests) {
  const there = answersThere(requests);
  requests.forEach((request, i) => compare(answerHere(request), there[i], JSON.stringify(request).slice(0, 120)));
}

/** Every cell of a state's stages that is worth a look: its corners and its middle, in the first and last head. */
function* cellsOf(state) {
  for (const {name, shape: [rows, cols], perHead} of state.stages)
    for (const head of perHead ? [0, state.heads.length - 1] : [0])
      for (const [row, col] of [[0, 0], [rows - 1, cols - 1], [rows >> 1, cols >> 1]]) yield {stage: name, head, row, col};
}

const allNumbers = (state) => state.stages.flatMap(({id, perHead}) =>
  state.heads.map((_, head) => [id, head]).slice(0, perHead ? undefined : 1));

const sessions = ['examples', 'lessons'].flatMap((folder) => readdirSync(`${ROOT}assets/${folder}`)
  .filter((name) => name.endsWith('.json') && name !== 'index.json').map((name) => `${ROOT}assets/${folder}/${name}`));

for (const language of ['en', 'de'])
  for (const input of sessions)
    test(`${input.slice(ROOT.length)} in ${language}`, () => {
      const state = answerHere({do: 'open', input});
      compareAnswers([
        {do: 'language', language}, {do: 'open', input}, {do: 'language', language},
        {do: 'state', numbers: allNumbers(state)},
        ...[...cellsOf(state)].flatMap((cell) => [{do: 'explain', ...cell}, {do: 'sensitivity', ...cell}]),
        {do: 'measures'}, {do: 'numbers', ending: '.csv'}, {do: 'save'},
      ].slice(1));
    });

test('edits', () => {
  answerHere({do: 'language', language: 'en'});
  const commands = [
    {do: 'set_sentence', text: 'The cat sat on the big mat'}, {do: 'set_size', n_heads: 2}, {do: 'set_size', d_k: 6},
    {do: 'fill_matrix', matrix: 'W_Q', head: 1, fill: 'xavier', seed: 3}, {do: 'set_mask', causal: true},
    {do: 'set_positions', positions: 'rotary'}, {do: 'set_head_mix', head: 2, gain: 0.5}, {do: 'set_temperature', value: 2},
    {do: 'set_override', stage: 'scores', head: 1, row: 2, col: 1, value: 4}, {do: 'set_cell', matrix: 'X', row: 1, col: 2, value: 7},
    {do: 'set_kv_sentence', text: 'Eine Katze saß'}, {do: 'set_biases', on: true}, {do: 'nonsense'},
  ];
  const all = Array.from({length: 26}, (_, stage) => [[stage, 0], [stage, 1]]).flat();
  compareAnswers([
    {do: 'language', language: 'en'}, {do: 'example', name: 'refer'}, {do: 'keep'},
    ...commands.map((command) => ({do: 'apply', command, numbers: all})),
    {do: 'compare'}, {do: 'undo', numbers: all}, {do: 'undo', numbers: all}, {do: 'redo', numbers: all}, {do: 'save'},
    {do: 'solve', want: [{stage: 'weights', head: 0, row: 2, col: 1, value: 0.5}], free: [{matrix: 'W_K', head: 0}]},
  ].slice(0));
});

for (const language of ['en', 'de'])
  test(`lessons in ${language}`, () => {
    answerHere({do: 'language', language});
    const requests = [{do: 'language', language}, {do: 'lessons'}];
    for (const {name} of engine.request('lessons').lessons) {
      const {lesson} = engine.request('begin_lesson', {source: name});
      requests.push({do: 'begin_lesson', source: name});
      lesson.steps.forEach((_, step) => requests.push({do: 'step', step}));
    }
    compareAnswers(requests);
  });

test('trained models', () => {
  const requests = [{do: 'language', language: 'en'}];
  for (const [source, text] of [['induction', 'abcdefabc'], ['words', 'Once upon a time there was a little girl who had a']])
    requests.push(
      {do: 'open_model', source, text, numbers: [[5, 0], [10, 1], [25, 0]]},
      {do: 'ask', slice: 100000, want: ['predictions', 'lens', 'direct', 'knockOut', 'labels', 'entropies', 'gradient']},
      {do: 'go_on', tokens: 5}, {do: 'go_on', tokens: 5, temperature: 1, topK: 20, seed: 4}, {do: 'layer', name: '1'},
      {do: 'apply', command: {do: 'set_head_mix', head: 2, mute: true}},
      {do: 'ask', slice: 100000, want: ['predictions']}, {do: 'save'});
  compareAnswers(requests);
});

test('the largest difference', () => console.log(`${compared} numbers, the largest difference ${largest}`));
