import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Child } from '../../../src/local/processes/child.js';
import type { Part } from '../../../src/local/processes/part.js';
import { Supervisor } from '../../../src/local/processes/supervisor.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BEAT_MS = 20;

/** A process that says when it is up and when it ends, as a line in the journal that all parts share. */
const STEADY = `
  const { appendFileSync } = require('node:fs');
  const say = (what) => appendFileSync(process.env.JOURNAL, process.env.NAME + ' ' + what + '\\n');
  process.on('SIGTERM', () => { say('ends'); process.exit(Number(process.env.EXIT_CODE ?? 0)); });
  setInterval(() => {}, 1000);
  say('up');
`;

describe('the supervisor', () => {
  let folder: string;
  let reports: string[];
  let pids: Map<string, number>;
  let supervisor: Supervisor;

  beforeEach(async () => {
    folder = await temporaryFolder();
    reports = [];
    pids = new Map();
    supervisor = new Supervisor((line) => {
      // A slow machine also gets to hear what it waits for.
      if (!line.endsWith(' starts')) reports.push(line);
    }, BEAT_MS);
    supervisor.onSpawn = (name, pid) => pids.set(name, pid);
    onTestFinished(async () => {
      await supervisor.stop();
    });
  });

  const journal = async () => (await readFile(join(folder, 'journal'), 'utf8')).trim().split('\n');

  const part = (
    name: string,
    options: Pick<Part, 'drain' | 'isAlive'> & { code?: string; exitCode?: number } = {},
  ): Part => {
    let spawns = 0;
    return {
      name,
      note: 'here',
      stopPatienceMs: 10_000,
      spawn: () => {
        spawns++;
        return Child.start({
          name,
          command: process.execPath,
          arguments: ['-e', options.code ?? STEADY],
          environment: {
            JOURNAL: join(folder, 'journal'),
            NAME: name,
            EXIT_CODE: String(options.exitCode ?? 0),
          },
          logPath: join(folder, `${name}.log`),
          ownGroup: true,
        });
      },
      async ready(signal) {
        const isUp = async () => (await journal()).filter((line) => line === `${name} up`).length === spawns;
        await waitFor(`${name} is up`, isUp, { timeoutMs: 20_000, signal });
      },
      drain: options.drain,
      isAlive: options.isAlive,
    };
  };

  const isAlive = (name: string) => {
    try {
      return process.kill(pids.get(name) as number, 0);
    } catch {
      return false;
    }
  };

  it('starts parts in order, reports each that is ready, and ends them in reverse order', async () => {
    await supervisor.start(part('first'));
    await supervisor.start(part('second'));
    expect(reports).toEqual(['first   ready   here', 'second  ready   here']);
    expect(await supervisor.stop()).toEqual([]);
    expect(await journal()).toEqual(['first up', 'second up', 'second ends', 'first ends']);
  });

  it('restarts a part that died, and says so', async () => {
    await supervisor.start(part('worker'));
    const before = pids.get('worker') as number;
    process.kill(before, 'SIGKILL');
    await waitFor('it is ready again', () => reports.length === 3, { timeoutMs: 20_000 });
    expect(reports[1]).toBe('worker was ended by SIGKILL; starting it again in 0.5 s');
    expect(reports[2]).toBe('worker  ready   here');
    expect(pids.get('worker')).not.toBe(before);
    await supervisor.stop();
    expect(isAlive('worker')).toBe(false);
  });

  it('waits longer before each further restart', async () => {
    await supervisor.start(part('worker'));
    for (const count of [3, 5]) {
      process.kill(pids.get('worker') as number, 'SIGKILL');
      await waitFor('it is ready again', () => reports.length === count, { timeoutMs: 20_000 });
    }
    expect(reports[3]).toMatch(/in 1 s$/);
  });

  it('prints the last output of a part that never became ready', async () => {
    const broken = part('broken', { code: 'console.error("port is taken"); process.exit(3)' });
    await expect(supervisor.start(broken)).rejects.toThrow(
      /^broken did not become ready: it ended with code 3\. Its last output \(.*broken\.log\):\nport is taken$/,
    );
  });

  it('finishes draining a part before it ends it', async () => {
    let released = () => {};
    const drained = new Promise<void>((resolve) => {
      released = resolve;
    });
    await supervisor.start(part('gate', { drain: () => drained }));
    const stopped = supervisor.stop();
    supervisor.beginStop();
    expect(isAlive('gate')).toBe(true);
    released();
    expect(await stopped).toEqual([]);
    expect(isAlive('gate')).toBe(false);
  });

  it('ends a part that could not be drained, and says why', async () => {
    await supervisor.start(part('gate', { drain: () => Promise.reject(new Error('no answer')) }));
    expect(await supervisor.stop()).toEqual([]);
    expect(reports).toContain('gate could not be drained: no answer');
    expect(isAlive('gate')).toBe(false);
  });

  it('restarts a part while those that need it are still draining', async () => {
    let released = () => {};
    const drained = new Promise<void>((resolve) => {
      released = resolve;
    });
    await supervisor.start(part('store'));
    await supervisor.start(part('gate', { drain: () => drained }));
    const stopped = supervisor.stop();
    process.kill(pids.get('store') as number, 'SIGKILL');
    await waitFor('it is ready again', () => reports.at(-1) === 'store   ready   here', {
      timeoutMs: 20_000,
    });
    released();
    expect(await stopped).toEqual([]);
    expect(isAlive('store')).toBe(false);
  });

  it('stops a start in progress when it is ended, and leaves nothing of it', async () => {
    const slow = part('slow', { code: 'setInterval(() => {}, 1000)' });
    const started = supervisor.start(slow);
    await waitFor('it was spawned', () => pids.has('slow'), { timeoutMs: 20_000 });
    supervisor.beginStop();
    await expect(started).rejects.toThrow('slow did not become ready');
    expect(isAlive('slow')).toBe(false);
  });

  it('reports a part that did not end well', async () => {
    await supervisor.start(part('worker', { exitCode: 7 }));
    expect(await supervisor.stop()).toEqual(['worker ended with code 7']);
  });

  it('kills a part that ignores SIGTERM for too long', async () => {
    const stubborn = part('stubborn', {
      code: STEADY.replace("say('ends'); process.exit(Number(process.env.EXIT_CODE ?? 0));", ''),
    });
    await supervisor.start({ ...stubborn, stopPatienceMs: 200 });
    expect(await supervisor.stop()).toEqual(['stubborn was ended by SIGKILL']);
  });

  it('restarts a part that runs and does not answer any more', async () => {
    let isSilent = false;
    let isStarted = true;
    let asked = 0;
    const isAlive = async () => {
      asked++;
      if (isSilent) throw new Error('no answer');
      return isStarted;
    };
    await supervisor.start(part('engine', { isAlive }));
    const first = pids.get('engine');
    await waitFor('it has answered', async () => asked > 1, { timeoutMs: 20_000 });
    isSilent = true;
    await waitFor('there is another process', async () => pids.get('engine') !== first, {
      timeoutMs: 20_000,
    });
    expect(reports).toContain('engine does not respond any more and is terminated');
    // The new one has not answered yet, and may still be starting.
    isSilent = false;
    isStarted = false;
    const second = pids.get('engine')!;
    await waitFor('it is ready', async () => reports.filter((line) => line.includes('ready')).length === 2, {
      timeoutMs: 20_000,
    });
    expect(process.kill(second, 0)).toBe(true);
  });
});
