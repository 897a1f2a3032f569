/**
 * Packs the word lists anew into a model that is trained; its weights stay as they are. For a change of what is in the
 * lists, or of how words are looked up, that is not worth another training.
 *
 * usage: repack.mjs BUILD MODEL OUT
 *
 * Reads BUILD/train.jsonl and BUILD/gazetteer.tsv of prepare.py and the file MODEL, writes OUT. The same input gives
 * the same bytes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from './compile.mjs';
import { packLists } from './lists.mjs';

const [, , build, model, out] = process.argv;
const load = compile('model/names.ts');
const [labels, lists, hash, weights] = await Promise.all(
  ['labels', 'gazetteer', 'hash', 'weights'].map((name) => load(`model/${name}.js`)),
);
const bytes = readFileSync(model);
// The header, as `packModel` writes it.
const [magic, format, buckets, slots] = [0, 4, 8, 12].map((at) => bytes.readUInt32LE(at));
if (magic !== weights.MAGIC || format !== weights.FORMAT) throw new Error(`${model} is no model of this format`);

const rows = readFileSync(`${build}/train.jsonl`, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
const tables = packLists(`${build}/gazetteer.tsv`, rows, slots, lists, hash);
// The lists stand before the weights, which end the file.
let at = bytes.length - buckets * weights.BUCKET_SLOTS * labels.LABEL_COUNT;
for (const table of tables) at -= table.byteLength;
for (const table of tables) {
  bytes.set(new Uint8Array(table.buffer), at);
  at += table.byteLength;
}
writeFileSync(out, bytes);
