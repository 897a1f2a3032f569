import { defineConfig } from 'vitest/config';

/*
 * Unit tests and properties are fast and share nothing. Contract tests start real processes: they run after the
 * others, few at a time, and have the patience that a slow machine needs. `npm run test:faults` has its own file.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'dashboard/**/*.test.ts', 'scripts/**/*.test.mjs'],
          testTimeout: 30_000,
        },
      },
      {
        test: { name: 'properties', include: ['test/properties/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        test: {
          name: 'contract',
          include: ['test/{contract,support}/**/*.test.ts', 'examples/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Conditions are waited for as long as a busy machine needs.
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
