import { defineConfig } from 'vitest/config';

/** `npm run test:fuzz`: ten minutes, or FUZZ_SECONDS; SEED repeats an earlier run. */
export default defineConfig({
  test: {
    name: 'fuzz',
    include: ['test/fuzz/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 2 * 60 * 60 * 1000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
