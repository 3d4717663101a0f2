// How long requests take, in milliseconds of the processor: node bench.mjs ENGINE.wasm
import process from 'node:process';
import {openEngine} from './opened_engine.mjs';

const engine = await openEngine(process.argv[2]);

function median(name, count, call) {
  const times = [];
  for (let i = 0; i < count; ++i) {
    const begin = process.cpuUsage();
    call(i);
    const {user, system} = process.cpuUsage(begin);
    times.push((user + system) / 1000);
  }
  times.sort((a, b) => a - b);
  console.log(`${name}: ${times[count >> 1].toFixed(2)} ms, at most ${times[count - 1].toFixed(2)} ms`);
}

const words = (count) => Array.from({length: count}, (_, i) => `w${i}`).join(' ');

for (const [n, d, heads] of [[16, 64, 8], [16, 768, 12], [128, 512, 8]]) {
  const where = `${n} × ${d} × ${heads}`;
  engine.request('new', {sentence: words(n), d_model: d, heads, seed: 1});
  median(`${where}, a number of W_Q dragged`, 40, (i) => engine.request('preview', {
    command: {do: 'set_cell', matrix: 'W_Q', head: 1, row: 0, col: 0, value: i / 40}}));
  engine.request('cancel');
  median(`${where}, a key in the sentence`, 20, (i) => engine.request('apply', {
    command: {do: 'set_sentence', text: `${words(n)}${'a'.repeat(i)}`}, merge: 'sentence'}));
  median(`${where}, an explanation`, 20, () => engine.request('explain', {stage: 'weights', head: 0, row: 3, col: 1}));
}

engine.request('open_model', {source: 'words', text: 'Once upon a time there was a little girl who had a red ball and'});
median('the model of words, a text of 16 tokens', 10, (i) => engine.request('apply', {command: {
  do: 'set_sentence', text: `Once upon a time there was a little girl who had a red ball ${['and', 'but'][i % 2]}`}}));
median('the model of words, a head muted in its last layer', 10, (i) => {
  engine.request('layer', {name: '3'});
  engine.request('apply', {command: {do: 'set_head_mix', head: 1, mute: i % 2 === 0}});
});
