/** `sluice pii` from the sources, without a build: node tools/pii/run.mjs [--all] [--stats] [--score-threshold N]. */
import { parseArgs } from 'node:util';
import { compile } from '../../bench/pii/compile.mjs';

const { values } = parseArgs({
  options: { all: { type: 'boolean' }, stats: { type: 'boolean' }, 'score-threshold': { type: 'string' } },
});
const { runPiiCommand } = await compile('index.ts')('index.js');
process.exitCode = await runPiiCommand({
  input: process.stdin,
  output: process.stdout,
  error: process.stderr,
  all: values.all,
  stats: values.stats,
  scoreThreshold: values['score-threshold'] === undefined ? undefined : Number(values['score-threshold']),
});
