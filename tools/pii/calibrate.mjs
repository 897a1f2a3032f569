/**
 * What the scores of the name model are worth: the share of findings that is right, by type, language and way of writing.
 *
 * usage: calibrate.mjs FOLDER
 *
 * FOLDER has what gather.py made, of which `dev` is read. Writes src/pii/model/calibration-table.ts. For each row the
 * findings are sorted into steps of their score; a row with few of them leans on that of all languages, and shares never
 * fall where scores rise (isotonic regression: neighbours that would are pooled).
 */
import { writeFileSync } from 'node:fs';
import { marksOf, Scores } from '../../bench/pii/scores.mjs';
import { gatheredTexts } from '../../bench/pii/texts.mjs';
import { compile } from '../../bench/pii/compile.mjs';

const folder = process.argv[2];
const TYPES = ['PERSON', 'LOCATION'];
/** Where a step ends; the last holds the rest. */
const STEPS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.96, 0.99];
/** So many findings of all languages stand in for those that a row has not. */
const LEAN = 100;
const ALL = 'all';
const SMALL = 'small';

const { createDetector } = await compile('index.ts')('index.js');
const detectors = new Map();
const rows = new Map();
for (const text of gatheredTexts(folder, 'dev')) {
  // The values of fields have scores of their own; what may only be measured with is not learnt from here either.
  if (text.kind === 'data' || text.kind.includes('measured only')) continue;
  for (const [type, score, isRight, isSmall] of findingsIn(text)) {
    for (const key of isSmall ? [`${type} ${SMALL}`] : [`${type} ${text.language}`, `${type} ${ALL}`]) {
      if (!rows.has(key)) rows.set(key, STEPS.concat(1).map(() => ({ count: 0, score: 0, right: 0 })));
      const step = rows.get(key)[stepOf(score)];
      step.count++;
      step.score += score;
      step.right += Number(isRight);
    }
  }
}
const table = {};
for (const type of TYPES) {
  const all = rows.get(`${type} ${ALL}`);
  table[type] = {};
  for (const [key, steps] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
    if (key.startsWith(`${type} `)) table[type][key.slice(type.length + 1)] = sharesOf(steps, all);
}
write();

function stepOf(score) {
  const step = STEPS.findIndex((end) => score < end);
  return step < 0 ? STEPS.length : step;
}

function findingsIn(text) {
  const { language } = text;
  if (!detectors.has(language))
    detectors.set(language, createDetector({ language, entities: TYPES, scoreThreshold: 0.01, without: ['calibration'] }));
  const found = detectors.get(language).detectSync(text.text);
  const scores = new Scores();
  const marks = marksOf(text);
  return found.flatMap(({ entityType: type, start, end, score }) => {
    const one = new Scores();
    one.add(marks, [{ type, start, end, score }], [type]);
    scores.merge(one);
    const isSmall = text.text[start] === text.text[start].toLowerCase() && /\p{L}/u.test(text.text[start]);
    return one.findings.map(([, , isRight]) => [type, score, isRight, isSmall]);
  });
}

/** The share that is right in each step, in thousandths, never falling. */
function sharesOf(steps, all) {
  const blocks = [];
  steps.forEach(({ count, right }, i) => {
    const common = all[i].count === 0 ? (i + 0.5) / steps.length : all[i].right / all[i].count;
    const weight = count + LEAN;
    blocks.push({ sum: right + LEAN * common, weight, size: 1 });
    while (blocks.length > 1 && mean(blocks.at(-2)) > mean(blocks.at(-1))) {
      const last = blocks.pop();
      const before = blocks.at(-1);
      before.sum += last.sum;
      before.weight += last.weight;
      before.size += last.size;
    }
  });
  return blocks.flatMap((block) => Array.from({ length: block.size }, () => Math.round(mean(block) * 1000)));
}

function mean({ sum, weight }) {
  return sum / weight;
}

function write() {
  const middles = STEPS.concat(1).map((end, i) => Math.round(((i === 0 ? 0.1 : STEPS[i - 1]) + end) * 500));
  const lines = [
    '/**',
    ' * Written by `tools/pii/calibrate.mjs`: for each score of the model, the share of findings that are right. All',
    ' * numbers are thousandths.',
    ' */',
    `export const SCORES: readonly number[] = [${middles.join(', ')}];`,
    'export const RIGHT: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {',
  ];
  for (const [type, byKey] of Object.entries(table)) {
    lines.push(`  ${type}: {`);
    for (const [key, shares] of Object.entries(byKey)) lines.push(`    ${key}: [${shares.join(', ')}],`);
    lines.push('  },');
  }
  lines.push('};', '');
  writeFileSync(new URL('../../src/pii/model/calibration-table.ts', import.meta.url), lines.join('\n'));
  console.log(lines.join('\n'));
}
