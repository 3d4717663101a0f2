// What the engine answers: node engine.test.mjs ENGINE.wasm
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import process from 'node:process';
import {test} from 'node:test';
import {ROOT, openEngine} from './opened_engine.mjs';

const engine = await openEngine(process.argv[2]);
const stageOf = (state, name) => state.stages.find((stage) => stage.name === name).id;
const sum = (values) => values.reduce((a, b) => a + b, 0);

test('a session is shown, edited, undone, and saved byte for byte', () => {
  const bytes = readFileSync(`${ROOT}assets/examples/refer.json`);
  const state = engine.requestAbout(bytes, 'open', {title: 'Refer'});
  assert.deepEqual(state.tokens.slice(0, 3), ['The', 'animal', 'didn\'t']);
  engine.request('save');
  const saved = engine.output();
  engine.requestAbout(saved, 'open');
  engine.request('save');
  assert.equal(Buffer.compare(engine.output(), saved), 0);

  const weights = stageOf(state, 'weights');
  const before = engine.stage(weights, 0);
  for (let row = 0; row < before.rows; ++row)
    assert.ok(Math.abs(sum(before.values.slice(row * before.cols, (row + 1) * before.cols)) - 1) < 1e-6);
  engine.request('apply', {command: {do: 'set_cell', matrix: 'W_Q', head: 1, row: 0, col: 0, value: 3}});
  assert.notDeepEqual(engine.stage(weights, 0).values, before.values);
  const undone = engine.request('undo');
  assert.deepEqual(engine.stage(weights, 0).values, before.values);
  assert.equal(undone.history.canRedo, true);
});

test('how it is viewed is saved', () => {
  engine.request('example', {name: 'refer'});
  engine.request('view', {stage: 'weights', head: 1, row: 7, col: 2});
  engine.request('save');
  const {view} = engine.requestAbout(engine.output(), 'open');
  assert.deepEqual(view, {head: 1, stage: 'weights', row: 7, col: 2});
});

test('a preview is no step until it is committed', () => {
  engine.request('example', {name: 'refer'});
  const command = {do: 'set_cell', matrix: 'W_K', head: 2, row: 1, col: 1, value: -2};
  engine.request('preview', {command});
  assert.equal(engine.request('cancel').history.canUndo, false);
  engine.request('preview', {command});
  assert.equal(engine.request('commit').history.canUndo, true);
});

test('what cannot be done is refused with a sentence and changes nothing', () => {
  const state = engine.request('example', {name: 'cat-sat'});
  for (const [name, members] of [
    ['nothing', {}], ['apply', {}], ['apply', {command: {do: 'set_size', d_model: -1}}],
    ['explain', {stage: 'weights', head: 99, row: 0, col: 0}], ['layer', {name: '0'}], ['judge', {question: 0}],
    ['ask', {want: ['predictions']}], ['train', {}], ['jump', {state: 'x'}],
  ])
    assert.throws(() => engine.request(name, members), (error) => error.message.length > 5);
  assert.deepEqual(engine.request('state').config, state.config);
  assert.throws(() => engine.requestAbout(Buffer.from('{"type": "attention-lab session"'), 'open'));
});

test('words of every script are words', () => {
  engine.request('example', {name: 'cat-sat'});
  const state = engine.request('apply', {command: {do: 'set_sentence', text: 'แมวนั่ง 猫は座る naïve Ünï don’t'}});
  assert.ok(state.tokens.length >= 6);
  assert.ok(state.tokens.includes('naïve'));
});

test('a kept state is compared', () => {
  engine.request('example', {name: 'refer'});
  engine.request('keep');
  const state = engine.request('apply', {command: {do: 'set_cell', matrix: 'W_V', head: 1, row: 0, col: 0, value: 5}});
  const output = stageOf(state, 'output');
  const difference = engine.difference(output, 0), now = engine.stage(output, 0), kept = engine.keptStage(output, 0);
  difference.values.forEach((value, i) => assert.ok(Math.abs(value - (now.values[i] - kept.values[i])) < 1e-6));
  const compared = engine.request('compare');
  assert.equal(compared.sameWords, true);
  assert.equal(compared.moved[0].stage, 'V');
});

test('what moves a number, and what gives it another value', () => {
  engine.request('example', {name: 'refer'});
  const cell = {stage: 'weights', head: 0, row: 7, col: 1};
  assert.ok(engine.request('sensitivity', cell).numbers.length > 5);
  const solved = engine.request('solve', {
    want: [{...cell, value: 0.9}], free: [{matrix: 'W_Q', head: 0}], apply: true});
  assert.equal(solved.reached, true);
  const weights = engine.stage(stageOf(solved.state, 'weights'), 0);
  assert.ok(Math.abs(weights.values[7 * weights.cols + 1] - 0.9) < 1e-4);
});

test('numbers as a table', () => {
  engine.request('example', {name: 'cat-sat'});
  engine.request('numbers', {stage: 'weights', head: 0});
  const lines = new TextDecoder().decode(engine.output()).trim().split('\n');
  assert.match(lines[0], /^,/);
  assert.equal(lines.length, lines[0].split(',').length);
});

test('a lesson is played to its end with right answers', () => {
  const {lessons} = engine.request('lessons');
  assert.equal(lessons.length, 18);
  const {lesson} = engine.request('begin_lesson', {source: lessons[0].name});
  assert.equal(lesson.step, 0);
  const second = engine.request('step', {step: 1}).lesson;
  const questions = second.items.filter((item) => item.question).map((item) => item.question);
  const cell = questions.find((question) => question.type === 'cell');
  assert.equal(cell.stage, 'weights');
  const give = (clicked) => {
    engine.request('give', {question: cell.index, clicked});
    const answered = engine.request('judge', {question: cell.index}).lesson;
    return answered.items.map((item) => item.question).find((one) => one?.index === cell.index);
  };
  assert.equal(give({stage: 'weights', head: 0, row: 7, col: 2}).judgement.verdict, 'wrong');
  assert.equal(engine.request('hint', {question: cell.index}).lesson.items
    .map((item) => item.question).find((one) => one?.index === cell.index).hints.length, 1);
  assert.equal(give({stage: 'weights', head: 0, row: 7, col: 1}).judgement.verdict, 'right');
  engine.request('results', {student: 'Ada'});
  assert.match(new TextDecoder().decode(engine.output()), /Ada.*right/);
  engine.request('save_progress');
  const progress = engine.output();
  const resumed = engine.requestAbout(progress, 'resume').lesson;
  assert.equal(resumed.solved, 1);
  assert.equal(resumed.step, 1);
});

test('every lesson of every language begins', () => {
  for (const language of ['de', 'en']) {
    engine.request('language', {language});
    for (const {name} of engine.request('lessons').lessons) {
      const {lesson} = engine.request('begin_lesson', {source: name});
      assert.ok(lesson.items.length > 0, name);
      assert.ok(!JSON.stringify(lesson.items).includes('"live":true,"look":"strong","text":"?"'), name);
    }
  }
});

test('a trained model reads, predicts and is edited', () => {
  engine.request('language', {language: 'en'});
  const state = engine.request('open_model', {source: 'induction', text: 'abcdabc'});
  assert.deepEqual(state.tokens, [...'abcdabc']);
  const asked = {want: ['predictions', 'lens', 'direct', 'knockOut', 'labels'], slice: 5};
  let answer = engine.request('ask', asked);
  while (answer.busy) answer = engine.request('ask', asked);
  assert.equal(answer.predictions.value.top[0].text, 'd');
  assert.equal(answer.lens.value.lines.length, 3);
  assert.ok(answer.labels.value.some((head) => head.label === 'induction'));
  assert.equal(answer.knockOut.progress, 1);
  const weights = engine.modelWeights(0, 1, 0);
  assert.equal(weights.rows, 7);
  const before = answer.predictions.value.top[0].probability;
  for (const head of [1, 2, 3, 4]) engine.request('apply', {command: {do: 'set_head_mix', head, mute: true}});
  const muted = engine.request('ask', {want: ['predictions'], slice: 1000}).predictions.value.top[0];
  assert.ok(muted.text !== 'd' || muted.probability < before);
  engine.request('layer', {name: '1'});
  assert.equal(engine.request('state').model.layer, '1');
  engine.request('save');
  assert.match(new TextDecoder().decode(engine.output()), /attention-lab model session/);
});

test('a model of words goes on with a text', () => {
  engine.request('open_model', {source: 'words', text: 'Once upon a time there was a little'});
  const {text, tokens} = engine.request('go_on', {tokens: 4});
  assert.equal(tokens.length, 4);
  assert.match(text, /^ (boy|girl)/);
});

test('a model is trained', () => {
  engine.request('new_training', {
    task: 'previous', vocabulary: 4, length: 8, layers: 1, heads: 1, d_model: 16, d_k: 16, batch: 16, learningRate: 0.01});
  let step = 0;
  while (step < 60) ({step} = engine.request('train', {slice: 20, until: 60}));
  engine.request('end_training');
  const curves = engine.request('curves');
  assert.equal(curves.step, 60);
  assert.ok(curves.loss.at(-1) < curves.loss[0]);
  assert.equal(engine.request('undo').history.canRedo, true);
});
