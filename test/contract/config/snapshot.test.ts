import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, expectTypeOf, it } from 'vitest';
import type { Config } from '../../../src/config/config.js';
import type { DirectorySnapshot } from '../../../src/core/directory-source.js';
import type { DirectoryFile } from '../../../src/directory/directory-file.js';
import { generateApiKey } from '../../../src/directory/keys.js';
import { snapshotFile } from '../../../src/directory/snapshot.js';

const { key, hash, prefix } = generateApiKey();
const CONTENT: DirectorySnapshot = {
  projects: [{ uid: '00000000-0000-4000-8000-000000000001', name: 'demo', enabled: true }],
  keys: [
    {
      id: '1',
      project_uid: '00000000-0000-4000-8000-000000000001',
      name: 'k',
      hash,
      prefix,
      scopes: ['logs'],
    },
  ],
  endpoints: [],
  remembered: [{ uid: '00000000-0000-4000-8000-000000000002', name: 'of the file' }],
};

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-snapshot-'));
  path = join(folder, 'data', 'directory.json');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('the configuration is accepted by the directory', () => {
  expectTypeOf<Config>().toExtend<DirectoryFile>();
});

it('there is no copy at first', async () => {
  expect(await snapshotFile(path).read()).toBeUndefined();
});

it('a copy is read back as it was written', async () => {
  await snapshotFile(path).write(CONTENT);
  expect(await snapshotFile(path).read()).toEqual(CONTENT);
});

it('only its owner can read it, and it holds no text of a key', async () => {
  await snapshotFile(path).write(CONTENT);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).not.toContain(key);
});

it('a new copy replaces the old one and leaves nothing beside it', async () => {
  const snapshot = snapshotFile(path);
  await snapshot.write(CONTENT);
  await snapshot.write({ ...CONTENT, keys: [] });
  expect((await snapshot.read())?.keys).toEqual([]);
  expect(await readdir(join(folder, 'data'))).toEqual(['directory.json']);
});

it('an unchanged copy is not written again', async () => {
  const snapshot = snapshotFile(path);
  await snapshot.write(CONTENT);
  const before = (await stat(path, { bigint: true })).ino;
  await snapshot.write(structuredClone(CONTENT));
  expect((await stat(path, { bigint: true })).ino).toBe(before);
});

it.each(['', '{"version":1,"projects":[', '{"version":99}', '{"version":1,"projects":[]}', '[]'])(
  'a broken copy %j is refused',
  async (text) => {
    await snapshotFile(path).write(CONTENT);
    await writeFile(path, text);
    await expect(snapshotFile(path).read()).rejects.toThrow();
  },
);
