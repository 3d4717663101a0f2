// The engine beside the program for the desktop: node program.test.mjs ENGINE.wasm; skipped (77) where that is not built.
// Numbers within 1e-5, sessions byte for byte, both ways.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import process from 'node:process';
import {test} from 'node:test';
import {ROOT, addFolder, openEngine} from './opened_engine.mjs';

const PROGRAM = [process.env.ATTENTION_LAB_PROGRAM,
  ...['release', 'ci', 'dev'].map((preset) => `${ROOT}build/${preset}/bin/attention-lab`)]
  .find((path) => path && existsSync(path));
if (!PROGRAM) process.exit(77);

const engine = await openEngine(process.argv[2]);
const CHECKPOINTS = `${ROOT}app/tests/model/golden`;

function program(args, input = '') {
  const run = spawnSync(PROGRAM, args, {input, env: {...process.env, ATTENTION_LAB_ASSETS: `${ROOT}assets`}, maxBuffer: 1 << 30});
  assert.equal(run.status, 0, `${args.join(' ')}: ${run.stderr}`);
  return run.stdout;
}

const made = () => new TextDecoder().decode(engine.output());
const numberOf = (value) => (value === 'NaN' ? NaN : typeof value === 'string' ? Number(value) : value);

let compared = 0, largest = 0;

/** Within 1e-5 of the largest number of the matrix. */
function near(here, there, where, scale = 1) {
  const a = numberOf(here), b = numberOf(there);
  if (Object.is(a, b) || a === b) return void ++compared;
  const distance = Math.abs(a - b) / Math.max(1, scale);
  ++compared;
  largest = Math.max(largest, distance);
  assert.ok(distance <= 1e-5, `${where}: ${a} here, ${b} there`);
}

function compareTensors(here, there, where) {
  // The program writes the inputs as well.
  const names = Object.keys(there.tensors).filter((name) => !name.startsWith('X') && !name.startsWith('embedding'));
  assert.deepEqual(Object.keys(here.tensors).filter((name) => names.includes(name)), names, where);
  for (const [name, {shape, values}] of Object.entries(here.tensors)) {
    assert.deepEqual(shape, there.tensors[name].shape, `${where} ${name}`);
    const scale = values.map(numberOf).filter(Number.isFinite).reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    values.forEach((value, i) => near(value, there.tensors[name].values[i], `${where} ${name}[${i}]`, scale));
  }
}

/** Both compute every stage of a session and write it: the same numbers, and the same bytes. */
function compareSession(bytes, where) {
  engine.requestAbout(bytes, 'open', {title: 'standard input'});
  engine.request('numbers', {ending: '.json'});
  compareTensors(JSON.parse(made()), JSON.parse(program(['compute', '-', '-o', '-'], bytes)), where);
  engine.request('save');
  assert.equal(made(), program(['convert', '-', '-o', '-'], bytes).toString(), where);
}

for (const folder of ['examples', 'lessons'])
  for (const name of readdirSync(`${ROOT}assets/${folder}`).filter((one) => one.endsWith('.json') && one !== 'index.json'))
    test(`${folder}/${name}`, () => compareSession(readFileSync(`${ROOT}assets/${folder}/${name}`), name));

/** The same arithmetic of a number: what it is called and means, its lines, its value. The program rounds to more digits. */
function compareExplanation({name, perHead}, row, col) {
  const here = engine.request('explain', {stage: name, head: 0, row, col});
  const there = program(['explain', '-', '--stage', name, ...(perHead ? ['--head', '1'] : []), '--row', `${row}`, '--col', `${col}`],
    compareExplanation.session).toString().split('\n');
  const [title, value] = there[0].split(' = ');
  assert.equal(here.title, title);
  assert.equal(here.meaning, there[1]);
  const number = (text) => Number(text.replace('−', '-').replace('∞', 'Infinity').replace('inf', 'Infinity'));
  near(number(here.value), number(value), here.title + ' rounded', 1e2 * Math.max(1, Math.abs(number(value))));
  for (const line of here.lines) assert.ok(there.some((text) => text.includes(line.name)), `${here.title}: ${line.name}`);
}

for (const name of ['refer', 'cat-sat'])
  test(`explanations of ${name}`, () => {
    const {stages} = engine.request('example', {name});
    engine.request('save');
    compareExplanation.session = made();
    for (const stage of stages.filter(({input}) => !input))
      for (const [row, col] of [[0, 0], [stage.shape[0] - 1, stage.shape[1] - 1]]) compareExplanation(stage, row, col);
  });

const EDITS = [
  {do: 'set_sentence', text: 'The cat sat on the big mat'}, {do: 'set_size', n_heads: 2}, {do: 'set_size', d_k: 6},
  {do: 'fill_matrix', matrix: 'W_Q', head: 1, fill: 'xavier', seed: 3}, {do: 'set_causal', on: true},
  {do: 'set_positions', positions: 'rotary'}, {do: 'set_head_mix', head: 2, scale: 0.5}, {do: 'set_temperature', value: 2},
  {do: 'set_override', stage: 'scores', head: 1, row: 2, col: 1, value: 4},
  {do: 'set_cell', matrix: 'X', row: 1, col: 2, value: 7}, {do: 'set_kv_sentence', text: 'Eine Katze saß'},
  {do: 'set_biases', on: false}, {do: 'set_sentence', text: 'แมวนั่ง 猫は座る naïve Ünï don’t 👩‍👩‍👧 x_1 3.14 e.g.'},
  {do: 'set_token_mode', mode: 'characters'}, {do: 'set_layer_norm', on: true}, {do: 'set_residual', on: true},
];

test('edits, one after the other', () => {
  const example = readFileSync(`${ROOT}assets/examples/refer.json`);
  engine.requestAbout(example, 'open');
  let bytes = example, done = 0;
  for (const command of EDITS) {
    const line = JSON.stringify(command);
    const run = spawnSync(PROGRAM, ['apply', `${ROOT}assets/examples/refer.json`, '-', '-o', '-'], {
      input: [...EDITS.slice(0, EDITS.indexOf(command) + 1)].filter((one) => !one.refused).map((one) => JSON.stringify(one)).join('\n')});
    if (run.status !== 0) {
      command.refused = true;
      assert.throws(() => engine.request('apply', {command}), `${line} is refused there: ${run.stderr}`);
      continue;
    }
    engine.request('apply', {command});
    engine.request('save');
    bytes = run.stdout;
    assert.equal(made(), bytes.toString(), line);
    engine.request('numbers', {ending: '.json'});
    compareTensors(JSON.parse(made()), JSON.parse(program(['compute', '-', '-o', '-'], bytes)), line);
    ++done;
  }
  assert.ok(done >= 12, `only ${done} of the edits could be tried`);
});

/** The same tokens with the same probabilities after a text, or after the first ids of a vocabulary. */
function compareModel(source, text) {
  const {model} = engine.request('open_model', text ? {source, text} : {source});
  const here = engine.request('ask', {want: ['predictions'], slice: 100000}).predictions.value;
  const read = text ? ['--text', text] : ['--ids', [...Array(Math.min(8, model.vocabulary)).keys()].join(',')];
  const [there] = JSON.parse(program(['predict', source, ...read, '--json', '--top', '10'])).predictions;
  assert.equal(here.row, there.row);
  assert.equal(here.top[0].id, there.top[0].id);
  here.top.forEach((token, i) => near(token.probability, there.top[i].probability, `${source} ${i}`));
}

test('the built-in models', () => {
  compareModel('induction', 'abcdefabc');
  compareModel('words', 'Once upon a time there was a little girl who had a');
});

for (const name of ['gpt2', 'llama', 'gemma3', 'gpt-oss', 'deepseek-v3', 'lfm2', 'qwen3-moe', 'falcon', 'bloom', 'phi3'])
  if (existsSync(`${CHECKPOINTS}/${name}/config.json`))
    test(`a tiny checkpoint of ${name}`, () => {
      addFolder(engine.files, `${CHECKPOINTS}/${name}`, `${CHECKPOINTS}/${name}`);
      compareModel(`${CHECKPOINTS}/${name}`);
    });

test('the largest difference', () => console.log(`# ${compared} numbers, the largest difference ${largest}`));
