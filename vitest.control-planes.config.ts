import { defineConfig } from 'vitest/config';

/** `npm run test:control-planes`: what the programs of others make of our manifests. They are built once, in minutes. */
export default defineConfig({
  test: {
    name: 'control-planes',
    include: ['test/control-planes/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    // The build is waited for while the file is loaded.
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
