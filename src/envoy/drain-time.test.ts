import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { drainTimeOfFile } from './drain-time.js';

const MINUTE = 60_000;

async function fileWith(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'sluice.yaml');
  await writeFile(file, text);
  return file;
}

describe('the time that Envoy gets to finish the requests to the endpoints of a file', () => {
  it('is the longest `total_timeout_ms`', async () => {
    const file = await fileWith(`
projects:
  - endpoints: [{ name: a, total_timeout_ms: 900000 }, { name: b }]
  - endpoints: [{ name: c, total_timeout_ms: 1200000 }]
`);
    expect(await drainTimeOfFile(file)).toBe(20 * MINUTE);
  });

  it.each([
    ['endpoints that may take a minute', 'projects: [{ endpoints: [{ total_timeout_ms: 60000 }] }]'],
    ['no projects', 'providers: {}'],
    [
      'values of other kinds',
      'projects: [1, { endpoints: 5 }, { endpoints: [null, { total_timeout_ms: "x" }] }]',
    ],
    ['mistakes', 'projects: [{'],
  ])('is ten minutes for a file with %s', async (_name, text) => {
    expect(await drainTimeOfFile(await fileWith(text))).toBe(10 * MINUTE);
  });

  it('is ten minutes where there is no file', async () => {
    expect(await drainTimeOfFile(join(await temporaryFolder(), 'none.yaml'))).toBe(10 * MINUTE);
    expect(await drainTimeOfFile(undefined)).toBe(10 * MINUTE);
  });
});
