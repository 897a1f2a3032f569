/** The sets of texts that the detector is measured on. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marksOf } from './scores.mjs';

function linesOf(path) {
  const content = readFileSync(path, 'utf8').trimEnd();
  return content === '' ? [] : content.split('\n').map((line) => JSON.parse(line));
}

const withMarks = (row) => ({ ...row, marks: marksOf(row) });

/** The development files, from which the detector has learnt. */
export function ownTexts(data) {
  return ['dev', 'chat.dev'].flatMap((name) =>
    linesOf(join(data, `${name}.jsonl`)).map((row) => ({ ...withMarks(row), source: name })),
  );
}

/** The texts of `tools/pii/gather.py` in one of its folders: dev, locked, plain or plain-locked. */
export function gatheredTexts(folder, part) {
  const path = join(folder, part);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => linesOf(join(path, name)).map(withMarks));
}
