import { defineConfig } from 'vitest/config';

/** Kills, stalls and storms: one file at a time, since each wants the machine for itself. */
export default defineConfig({
  test: {
    name: 'faults',
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
