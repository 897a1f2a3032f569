import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { build } from './scripts/build.mjs';

/** What takes longest, at 20 seconds and more. vitest knows only the sizes of files in its first run. */
const LONG = [
  'chain/ways',
  'dashboard/accessibility',
  'store/logs-through-admin',
  'local/start',
  'clients/python',
  'dashboard/daily-work',
  'dashboard/administration',
  'policy/shared-limits',
  'store/directory-feed',
  'clients/agents',
  'deploy/helm',
  'deploy/doctor',
  'dashboard/logs',
  'dashboard/editing',
  'envoy/meshes',
  'dashboard/outage',
  'telemetry/exemplars',
  'dialects/matrix',
  'gateway/large-answers',
  'local/mongod',
  'chain/mesh',
  'dialects/guards',
  'plugins/log-phase',
  'store/logs',
  'chain/cooling',
  'gateway/workers',
  'deploy/roles',
  'admin/schemathesis',
];

/** The longest files first, so that none is left alone at the end. Without a run before, vitest goes by their size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.includes(`/${name}.test.`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Each a process that computes all the time. */
const pureWorkers = Math.max(2, availableParallelism() - 1);

const sources = fileURLToPath(new URL('src/', import.meta.url));

let building: Promise<void> | undefined;

/**
 * Tests above the sources import what was built, as the engine does that they start: Node loads `dist/` in a fraction of
 * the time that it takes to transform the sources for each process of tests. Changed sources are built first.
 */
const builtSources: Plugin = {
  name: 'built-sources',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return undefined;
    const path = resolve(dirname(importer), source);
    if (!path.startsWith(sources)) return undefined;
    building ??= build();
    await building;
    return path.replace(sources, `${resolve(sources, '../dist')}/`).replace(/\.ts$/, '.js');
  },
};
const built = { plugins: [builtSources] };

/** What was built is loaded by Node itself. */
const server = { deps: { external: [/\/dist\//] } };
const processes = {
  server,
  globalSetup: ['test/support/global-setup.ts'],
  hookTimeout: 120_000,
};
/** Conditions are waited for as long as a busy machine needs. */
const patient = { poll: { timeout: 20_000 } };
/** One file at a time: each wants the machine for itself. */
const alone = { ...processes, fileParallelism: false };

/*
 * `npm test` runs the projects unit, properties and contract. Contract tests start real processes: they run after the
 * others, and have the patience that a slow machine needs. The last three projects are campaigns, with a script each.
 *
 * A process runs one file after the other and loads each module once, which saves a minute: files share nothing but
 * what modules keep, and that is caches. What a file changes in its process, it changes back.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // `npm test` has built everything. Else a unit test imports the sources, so that it waits for no build.
        ...(process.env.TEST_WHAT_WAS_BUILT === undefined ? {} : built),
        test: {
          name: 'unit',
          server,
          include: ['src/**/*.test.ts', 'dashboard/**/*.test.ts', 'scripts/**/*.test.mjs'],
          testTimeout: 30_000,
          expect: patient,
          isolate: false,
          maxWorkers: pureWorkers,
        },
      },
      {
        ...built,
        test: {
          name: 'properties',
          server,
          include: ['test/properties/**/*.test.ts'],
          testTimeout: 60_000,
          expect: patient,
          isolate: false,
          maxWorkers: pureWorkers,
        },
      },
      {
        ...built,
        test: {
          name: 'contract',
          include: ['test/{contract,support}/**/*.test.ts', 'examples/**/*.test.ts'],
          ...processes,
          testTimeout: 60_000,
          expect: patient,
          isolate: false,
          // Half of their time they wait.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // `npm run test:faults`: kills, stalls and storms.
        ...built,
        test: { name: 'faults', include: ['test/faults/**/*.test.ts'], ...alone, testTimeout: 300_000 },
      },
      {
        // `npm run test:fuzz`: ten minutes, or FUZZ_SECONDS; SEED repeats an earlier run.
        ...built,
        test: { name: 'fuzz', include: ['test/fuzz/**/*.test.ts'], ...alone, testTimeout: 2 * 60 * 60 * 1000 },
      },
      {
        // `npm run test:control-planes`: what other control planes make of our manifests. Their programs are built
        // once, in minutes, while the file is loaded.
        ...built,
        test: {
          name: 'control-planes',
          include: ['test/control-planes/**/*.test.ts'],
          ...alone,
          testTimeout: 120_000,
        },
      },
      {
        // `npm run test:release`: makes a release of this working copy, checks it and installs it. It needs no Envoy.
        test: {
          name: 'release',
          include: ['test/release/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});
