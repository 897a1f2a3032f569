/**
 * Honest numbers: a model that prepare.py --hold-out and train.mjs made, on what was held out.
 *
 * usage: evaluate.mjs BUILD MODEL DATA
 *
 * BUILD has the held.*.jsonl files, MODEL is the file that train.mjs wrote, DATA the folder with score.py (python3).
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '../../bench/pii/compile.mjs';

const [, , build, model, data] = process.argv;
const load = compile('index.ts');
copyFileSync(model, join(dirname(fileURLToPath(import.meta.url)), 'dist', 'model', 'names.bin'));
const { createDetector } = await load('index.js');
const detectors = new Map();

function detectorFor(language) {
  if (!detectors.has(language)) detectors.set(language, createDetector({ language }));
  return detectors.get(language);
}

for (const name of readdirSync(build).filter((file) => file.startsWith('held.'))) {
  const gold = join(build, name);
  const rows = readFileSync(gold, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
  const lines = rows.map(({ id, text, language }) => {
    const found = detectorFor(language).detectSync(text);
    const spans = found.map(({ start, end, entityType, score }) => ({ start, end, entity_type: entityType, score }));
    return JSON.stringify({ id, spans });
  });
  const answers = join(build, `answers.${name.slice('held.'.length)}`);
  writeFileSync(answers, `${lines.join('\n')}\n`);
  const types = /news|unseen/.test(name) ? ['--types', 'PERSON,LOCATION'] : [];
  console.log(`== ${name}`);
  console.log(execFileSync('python3', [join(data, 'score.py'), gold, answers, '--utf16', '--resolve', ...types], { encoding: 'utf8' }));
}
