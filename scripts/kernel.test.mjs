import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileKernel } from '../tools/pii/kernel.mjs';

it('kernel.wasm is what its sources compile to', async () => {
  const committed = readFileSync(new URL('../src/pii/model/kernel.wasm', import.meta.url));
  const compiled = Buffer.from(await compileKernel());
  expect(compiled.equals(committed), 'npm run build:kernel writes it').toBe(true);
}, 120_000);
