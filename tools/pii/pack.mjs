/** Writes the model file: the strongest features of each bucket, their weights as small whole numbers. */
import { writeFileSync } from 'node:fs';

/** A multiple of 4096, as `kernel/weights.ts` finds the bucket of a feature. */
const BUCKETS = 3 << 16;
const FEWEST_BUCKETS = 4096;
/** The share of weights that the range of an int8 covers; the few larger ones are cut to it. */
const COVERED = 0.9999;
const LARGEST = 127;

/** How much the weights of each feature move. */
export function strengths(field, count) {
  const found = new Float32Array(count);
  for (let row = 0; row < count; row++) {
    let sum = 0;
    for (let y = 0; y < field.labels; y++) sum += field.weights[row * field.labels + y] ** 2;
    found[row] = sum;
  }
  return found;
}

/** As `kernel/weights.ts` finds it. */
function bucketOf(feature) {
  return ((feature >>> 12) * (BUCKETS >>> 12)) >>> 8;
}

/** Never 0: that marks a free slot. */
function checkOf(feature) {
  return feature & 0xffff || 1;
}

/** The feature in each slot: of every bucket's features the strongest, -1 where a slot stays free. */
export function chooseFeatures({ field, keys, weights }) {
  const { BUCKET_SLOTS } = weights;
  const strength = strengths(field, keys.length);
  const order = Array.from(keys.keys()).sort((a, b) => strength[b] - strength[a] || a - b);
  const used = new Uint8Array(BUCKETS);
  const checks = new Uint16Array(BUCKETS * BUCKET_SLOTS);
  const rowOf = new Int32Array(BUCKETS * BUCKET_SLOTS).fill(-1);
  for (const row of order) {
    if (strength[row] === 0) break;
    const bucket = bucketOf(keys[row]);
    const check = checkOf(keys[row]);
    const first = bucket * BUCKET_SLOTS;
    if (used[bucket] === BUCKET_SLOTS || checks.subarray(first, first + used[bucket]).includes(check)) continue;
    const slot = first + used[bucket]++;
    checks[slot] = check;
    rowOf[slot] = row;
  }
  return { checks, rowOf };
}

/** The bytes of a model file. */
function fileOf({ transitions, checks, values, scale, listChecks, listFlags, groups, weights }) {
  const { HEADER_BYTES, FORMAT, MAGIC, BUCKET_SLOTS } = weights;
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  [MAGIC, FORMAT, checks.length / BUCKET_SLOTS, listChecks.length].forEach((value, i) => header.setUint32(i * 4, value, true));
  header.setFloat32(16, scale, true);
  header.setUint32(20, groups.checks.length, true);
  header.setUint32(24, groups.paths.length, true);
  const { checks: groupChecks, upper, lower, paths } = groups;
  const parts = [header, Float32Array.from(transitions), checks, listChecks, listFlags, groupChecks, upper, lower, paths, values];
  return Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)));
}

/** A model that knows words and nothing of them: the kernel makes the features of training with it. */
export function emptyModel({ listChecks, listFlags, groups, weights, labels }) {
  const { BUCKET_SLOTS, TRANSITION_COUNT } = weights;
  const checks = new Uint16Array(FEWEST_BUCKETS * BUCKET_SLOTS);
  const values = new Int8Array(FEWEST_BUCKETS * BUCKET_SLOTS * labels);
  return fileOf({ transitions: new Float32Array(TRANSITION_COUNT), checks, values, scale: 1, listChecks, listFlags, groups, weights });
}

export function packModel({ field, chosen, listChecks, listFlags, groups, weights, out }) {
  const { checks, rowOf } = chosen;
  const L = field.labels;
  const sample = [];
  for (const row of rowOf) if (row >= 0) for (let y = 0; y < L; y++) sample.push(Math.abs(field.weights[row * L + y]));
  const range = Float32Array.from(sample).sort()[Math.floor((sample.length - 1) * COVERED)];
  const scale = Math.fround(range / LARGEST);
  const values = new Int8Array(rowOf.length * L);
  rowOf.forEach((row, slot) => {
    for (let y = 0; row >= 0 && y < L; y++) {
      values[slot * L + y] = Math.max(-LARGEST, Math.min(LARGEST, Math.round(field.weights[row * L + y] / scale)));
    }
  });
  const bytes = fileOf({ transitions: field.transitions, checks, values, scale, listChecks, listFlags, groups, weights });
  writeFileSync(out, bytes);
  console.log(`model: ${sample.length / L} features, ${bytes.length} bytes, scale ${scale}`);
}
