import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './steps.mjs';

/* A newcomer finds a file in a minute: folders are small, and so are files. */

const MOST_FILES = 24;
const MOST_LINES = 400;

/** By folder, the files of code in it. A test stands beside its file and does not count there. */
function rooms(top, counts = (name) => !name.includes('.test.')) {
  const found = new Map();
  for (const entry of readdirSync(join(root, top), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:ts|tsx|mjs)$/.test(entry.name) || !counts(entry.name)) continue;
    const folder = entry.parentPath.slice(root.length).replace(/^\/+/, '');
    found.set(folder, [...(found.get(folder) ?? []), entry.name]);
  }
  return found;
}

it.each(['src', 'dashboard'])('no folder of %s has more files than one can overlook', (top) => {
  const large = [...rooms(top)].filter(([, files]) => files.length > MOST_FILES).map(([folder]) => folder);
  expect(large).toEqual([]);
});

it('no folder of the contract tests has more files than one can overlook', () => {
  const all = rooms('test/contract', () => true);
  expect(all.size).toBeGreaterThan(10);
  expect([...all].filter(([, files]) => files.length > MOST_FILES).map(([folder]) => folder)).toEqual([]);
});

it.each(['src', 'dashboard'])('no file of %s is longer than the limit', (top) => {
  const long = [...rooms(top)]
    .flatMap(([folder, files]) => files.map((name) => `${folder}/${name}`))
    .filter((path) => !path.includes('/generated/'))
    .filter((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n').length;
      return lines > MOST_LINES;
    });
  expect(long).toEqual([]);
});
