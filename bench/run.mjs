import { spawnSync } from 'node:child_process';
import { build } from '../scripts/build.mjs';

/*
 * `npm run bench` compares gateways; `npm run bench -- NAME` runs one of the others. What follows the name is passed on.
 * A benchmark that starts the built program says so by `built`; the rest run from the sources.
 */
const BENCHMARKS = {
  gateway: {
    file: 'gateway/run.mjs',
    built: true,
    what: 'what a request costs, side by side with other gateways',
  },
  beside: {
    file: 'gateway/beside.mjs',
    built: true,
    what: 'response times beside exports, statistics and the deletion of logs',
  },
  cold: {
    file: 'gateway/cold.mjs',
    built: true,
    what: 'what the first requests after a start, or after a silence, wait for',
  },
  dashboard: {
    file: 'dashboard.ts',
    built: true,
    what: 'the longest task of the page while it scrolls, in Chromium',
  },
  'hostile-schemas': {
    file: 'hostile-schemas.ts',
    built: true,
    what: 'hostile schemas and outputs, and what honest requests wait beside them',
  },
  growth: { file: 'gateway/growth.mjs', built: true, what: 'what one more project, key, endpoint, … costs' },
  logs: { file: 'logs.ts', what: 'searches and counts among a million logs' },
  pii: { file: 'pii.mjs', what: 'scores, false alarms, speed and memory of the detector' },
  policy: { file: 'policy.ts', what: 'limits, budgets and sticky draws' },
  profile: { file: 'gateway/profile.mjs', built: true, what: 'a profile of the engine while it serves' },
  retention: { file: 'retention.ts', what: 'what it costs to delete a log whose time has passed' },
  shapes: {
    file: 'gateway/shapes.mjs',
    built: true,
    what: 'the places where a warm engine makes new hidden classes',
  },
  shipping: { file: 'shipping.ts', built: true, what: 'what it costs to bring a log to MongoDB' },
  soak: { file: 'gateway/soak.mjs', built: true, what: 'a million mixed requests' },
  spool: { file: 'spool.ts', what: 'appends to the spool' },
  stalling: { file: 'gateway/stalling.mjs', built: true, what: 'requests beside a plugin that stalls' },
  steps: {
    file: 'gateway/steps.mjs',
    built: true,
    what: 'the longest step of the event loop on hostile bodies',
  },
  survivors: {
    file: 'gateway/survivors.mjs',
    built: true,
    what: 'what outlives a collection of young objects, by the code that made it',
  },
  telemetry: { file: 'telemetry.ts', what: 'the cost of one exchange in telemetry' },
  tracing: { file: 'gateway/tracing.mjs', built: true, what: 'gateways with and without tracing' },
  validation: { file: 'validation.ts', what: 'compiling schemas and checking outputs' },
  watchers: { file: 'watchers.ts', built: true, what: 'directories of many engines in one process' },
  workers: { file: 'gateway/workers.mjs', built: true, what: 'requests for each number of workers' },
};

const [first = 'gateway', ...rest] = process.argv.slice(2);
const [name, args] = first.startsWith('-') ? ['gateway', [first, ...rest]] : [first, rest];
const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined;
if (benchmark === undefined) {
  const known = Object.entries(BENCHMARKS).map(([known, { what }]) => `  ${known.padEnd(15)} ${what}`);
  console.error(`There is no benchmark '${name}'. There are:\n${known.join('\n')}`);
  process.exit(2);
}
if (benchmark.built) await build();
const loader = benchmark.file.startsWith('gateway/')
  ? []
  : ['--import', './test/support/typescript-loader.mjs'];
const { status } = spawnSync(process.execPath, [...loader, `bench/${benchmark.file}`, ...args], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
