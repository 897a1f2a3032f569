import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConfigResult } from '../../../src/config/load.js';
import { renderMistake } from '../../../src/config/mistakes.js';
import { readTexts } from '../../../src/config/read.js';
import { type ConfigWatch, watchConfig } from '../../../src/config/watch.js';

const WAIT = { timeout: 20_000, interval: 20 };

let folder: string;
let file: string;
let results: ConfigResult[];
let errors: string[];
let watch: ConfigWatch | undefined;

const text = (workers: number) => `engine: { workers: ${workers} }\n`;

/** The number of workers in each new configuration, or its mistakes. */
const seen = () =>
  results.map((result) =>
    'config' in result ? result.config.engine.workers : result.mistakes.map(renderMistake),
  );

async function start(onResult = (result: ConfigResult): void => void results.push(result)) {
  const options = { file, env: {} };
  const read = await readTexts(file);
  const logger = { error: (_fields: object, message: string) => void errors.push(message) };
  watch = watchConfig({ ...options, current: read, onResult, logger });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-config-'));
  file = join(folder, 'sluice.yaml');
  results = [];
  errors = [];
  await writeFile(file, text(1));
});

afterEach(async () => {
  await watch?.stop();
  watch = undefined;
  await rm(folder, { recursive: true, force: true });
});

describe('a changed file is taken up', () => {
  it('when it is written in place', async () => {
    await start();
    await writeFile(file, text(2));
    await vi.waitFor(() => expect(seen()).toEqual([2]), WAIT);
  });

  it('when an editor renames a new file over it', async () => {
    await start();
    await writeFile(`${file}.new`, text(2));
    await rename(`${file}.new`, file);
    await vi.waitFor(() => expect(seen()).toEqual([2]), WAIT);
  });

  it('when the link on the way to it is swapped, as Kubernetes does', async () => {
    await mkdir(join(folder, 'version-1'));
    await mkdir(join(folder, 'version-2'));
    await writeFile(join(folder, 'version-1', 'sluice.yaml'), text(1));
    await writeFile(join(folder, 'version-2', 'sluice.yaml'), text(2));
    await symlink('version-1', join(folder, 'data'));
    await unlink(file);
    await symlink(join('data', 'sluice.yaml'), file);
    await start();
    await symlink('version-2', join(folder, 'data-next'));
    await rename(join(folder, 'data-next'), join(folder, 'data'));
    await vi.waitFor(() => expect(seen()).toEqual([2]), WAIT);
  });

  it('when the file of a credential is replaced, as Kubernetes does, where one that cannot be read is a mistake', async () => {
    const credentials = () =>
      results.map((result) =>
        'config' in result
          ? result.config.providers.get('p')?.credential?.reveal()
          : result.mistakes.map(({ path, message }) => `${path}: ${message}`),
      );
    for (const [version, key] of [
      ['1', 'sk-one'],
      ['2', 'sk-two'],
    ] as const) {
      await mkdir(join(folder, version));
      await writeFile(join(folder, version, 'key'), `${key}\n`);
    }
    await symlink('1', join(folder, 'secret'));
    await writeFile(
      file,
      'providers: { p: { api: openai, base_url: "http://h/v1", api_key_file: secret/key } }\n',
    );
    await start();
    await symlink('2', join(folder, 'next'));
    await rename(join(folder, 'next'), join(folder, 'secret'));
    await vi.waitFor(() => expect(credentials()).toEqual(['sk-two']), WAIT);
    await unlink(join(folder, '2', 'key'));
    await vi.waitFor(() => expect(credentials()).toHaveLength(2), WAIT);
    expect(credentials()[1]).toEqual(['providers.p.api_key_file: the file cannot be read: ENOENT']);
  });

  it('when it changed before the watch began', async () => {
    const options = { file, env: {} };
    const read = await readTexts(file);
    await writeFile(file, text(2));
    const logger = { error: () => {} };
    watch = watchConfig({
      ...options,
      current: read,
      onResult: (result) => void results.push(result),
      logger,
    });
    await vi.waitFor(() => expect(seen()).toEqual([2]), WAIT);
  });

  it('again after each change', async () => {
    await start();
    await writeFile(file, text(2));
    await vi.waitFor(() => expect(seen()).toEqual([2]), WAIT);
    await writeFile(file, text(3));
    await vi.waitFor(() => expect(seen()).toEqual([2, 3]), WAIT);
  });
});

describe('a file with mistakes', () => {
  it('reports its mistakes and gives no configuration, until it is mended', async () => {
    await start();
    await writeFile(file, 'engine: { workers: none }\n');
    await vi.waitFor(() => expect(seen()).toHaveLength(1), WAIT);
    expect(seen()[0]).toEqual([
      `${file}:1:20 engine.workers: expected a whole number or "auto", found "none"`,
    ]);
    await writeFile(file, text(2));
    await vi.waitFor(() => expect(seen()[1]).toBe(2), WAIT);
  });

  it('that is empty or gone is one of them', async () => {
    await start();
    await writeFile(file, '');
    await vi.waitFor(() => expect(seen()).toEqual([[`${file}:1:1 the file is empty`]]), WAIT);
    await rm(file);
    await vi.waitFor(() => expect(seen()[1]).toEqual([`${file}:1:1 the file cannot be read: ENOENT`]), WAIT);
  });
});

it('SIGHUP reads the file even where it did not change', async () => {
  await start();
  process.emit('SIGHUP');
  await vi.waitFor(() => expect(seen()).toEqual([1]), WAIT);
});

it('an error thrown by a listener is logged, and the next change is still read', async () => {
  let calls = 0;
  await start((result) => {
    calls++;
    if (calls === 1) throw new Error('no room');
    results.push(result);
  });
  await writeFile(file, text(2));
  await vi.waitFor(() => expect(errors).toEqual(['the changed configuration could not be applied']), WAIT);
  await writeFile(file, text(3));
  await vi.waitFor(() => expect(seen()).toEqual([3]), WAIT);
});

it('is no longer watched once the watch is stopped', async () => {
  const listeners = process.listenerCount('SIGHUP');
  await start();
  expect(process.listenerCount('SIGHUP')).toBe(listeners + 1);
  await watch?.stop();
  expect(process.listenerCount('SIGHUP')).toBe(listeners);
});
