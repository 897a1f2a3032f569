/**
 * How many of the telephone and social security numbers that Faker makes are found in sentences, CSV and SQL; and how
 * many findings there are in orders in eight languages that contain no personal data.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preparePython } from '../../test/support/python-environment.ts';
import { scoresBy } from './accuracy.mjs';
import { marksOf } from './scores.mjs';

const FAKER = 'Faker==40.54.0';
const SCRIPT = fileURLToPath(new URL('made.py', import.meta.url));
/** The number of texts for each kind of text and country. */
const COUNT = 40;

/** The texts for a seed. Where Faker cannot be installed, prints the reason and returns none. */
async function madeTexts(seed) {
  const python = await pythonWithFaker();
  if (python === undefined) return [];
  const lines = execFileSync(python, [SCRIPT, seed, String(COUNT)], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((row) => ({ ...row, marks: marksOf(row) }));
}

async function pythonWithFaker() {
  if (process.env.FAKER_PYTHON !== undefined) return process.env.FAKER_PYTHON;
  const made = await preparePython('faker-40.54.0', [FAKER], ['python', '-c', 'import faker']);
  if ('programs' in made) return join(made.programs, 'python');
  console.log(`without Faker: ${made.missing}`);
  return undefined;
}

/** Prints a line for each kind of text and language: marked values, precision, recall. */
export async function printMade(seed, detect) {
  const made = await madeTexts(seed);
  const orders = made.filter(({ source }) => source === 'orders');
  const texts = made.filter(({ source }) => source !== 'orders');
  console.log(`== made by Faker, seed ${seed}: marked, precision, recall`);
  for (const keyOf of [({ source }) => source, ({ source, language }) => `${source} ${language}`]) {
    const tables = scoresBy(keyOf, texts, ['US_SSN', 'PHONE_NUMBER'], detect);
    for (const [name, { ours }] of [...tables].sort()) {
      const { marked, precision, recall } = ours.of(name.startsWith('SSN') ? 'US_SSN' : 'PHONE_NUMBER');
      console.log(
        `${name.padEnd(20)}${String(marked).padStart(6)}${precision.toFixed(3).padStart(7)}${recall.toFixed(3).padStart(7)}`,
      );
    }
  }
  const wrong = new Map();
  for (const row of orders)
    for (const { type } of detect(row)) if (type !== 'DATE_TIME') wrong.set(type, (wrong.get(type) ?? 0) + 1);
  const units = orders.reduce((sum, { text }) => sum + text.length, 0);
  const in10kB = (count) => ((count / units) * 10_000).toFixed(2);
  const all = [...wrong.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...wrong].sort((a, b) => b[1] - a[1]).map(([type, count]) => `${type} ${in10kB(count)}`);
  console.log(`orders: ${in10kB(all)} false findings in 10 kB, of ${units} units  ${kinds.join('  ')}`);
}
