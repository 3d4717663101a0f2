// Named arrays as files of safetensors: an 8-byte length, a JSON header of that length, and the numbers.

/** A file of float32 arrays: [{name, shape, values}], with texts by name. */
export function writeTensors(arrays, metadata = {}) {
  const header = {__metadata__: metadata};
  let size = 0;
  for (const {name, shape, values} of arrays) {
    header[name] = {dtype: 'F32', shape, data_offsets: [size, size += values.byteLength]};
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil(text.length / 8) * 8;
  const file = new Uint8Array(8 + padded + size);
  new DataView(file.buffer).setBigUint64(0, BigInt(padded), true);
  file.fill(32, 8, 8 + padded);
  file.set(text, 8);
  let at = 8 + padded;
  for (const {values} of arrays) {
    file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += values.byteLength;
  }
  return file;
}

/** A number of 16 bits: 1 of the sign, 5 of the exponent, 10 of the fraction. */
function float16(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * fraction / 1024);
}

let float16Numbers = null;  // all of them, by their bits

/** Rows that sum to 1 but for rounding sum to 1 again. */
function sumToOne(values, length) {
  for (let begin = 0; begin < values.length; begin += length) {
    let sum = 0;
    for (let i = begin; i < begin + length; ++i) sum += values[i];
    if (Math.abs(sum - 1) > 0.01) continue;
    for (let i = begin; i < begin + length; ++i) values[i] /= sum;
  }
}

/** The same file with float32 in place of float16. */
export function float32Of(file) {
  float16Numbers ??= Float32Array.from({length: 65536}, (_, bits) => float16(bits));
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const {__metadata__: metadata, ...entries} = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
  const arrays = Object.entries(entries).map(([name, {dtype, shape, data_offsets: [first, last]}]) => {
    const wide = dtype === 'F16' ? 2 : 4, values = new Float32Array((last - first) / wide);
    for (let i = 0; i < values.length; ++i) {
      const at = start + first + wide * i;
      values[i] = wide === 2 ? float16Numbers[view.getUint16(at, true)] : view.getFloat32(at, true);
    }
    if (name === 'weights') sumToOne(values, shape.at(-1));
    return {name, shape, values};
  });
  return writeTensors(arrays, metadata);
}
