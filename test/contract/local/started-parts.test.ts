import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StartedParts } from '../../../src/local/processes/started-parts.js';
import { identityOf, isRunning, type ProcessIdentity } from '../../../src/process/process-identity.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('the record of who runs on a data directory', () => {
  let folder: string;
  let reports: string[];
  const report = (line: string) => reports.push(line);
  beforeEach(async () => {
    folder = await temporaryFolder();
    reports = [];
  });

  const sleeper = async (): Promise<ProcessIdentity> => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    return identityOf(child.pid as number) as ProcessIdentity;
  };

  const pretend = (launcher: ProcessIdentity, parts: (ProcessIdentity & { name: string })[]) =>
    writeFileSync(join(folder, 'running.json'), JSON.stringify({ launcher, parts }));

  const deadLauncher = (): ProcessIdentity => ({ pid: process.pid, started: 'before the machine was built' });

  it('ends the processes that a killed launcher left behind', async () => {
    const leftover = await sleeper();
    pretend(deadLauncher(), [{ name: 'engine', ...leftover }]);
    await new StartedParts(folder).claim(report);
    expect(isRunning(leftover)).toBe(false);
    expect(reports).toEqual([`ending engine (process ${leftover.pid}), which an earlier run left behind`]);
  });

  it('leaves another process alone that got the process number of a part', async () => {
    const stranger = await sleeper();
    pretend(deadLauncher(), [{ name: 'engine', pid: stranger.pid, started: 'another time' }]);
    await new StartedParts(folder).claim(report);
    expect(isRunning(stranger)).toBe(true);
    expect(reports).toEqual([]);
  });

  it('refuses to start while the other launcher runs, and touches nothing', async () => {
    const [other, part] = [await sleeper(), await sleeper()];
    pretend(other, [{ name: 'engine', ...part }]);
    await expect(new StartedParts(folder).claim(report)).rejects.toThrow(
      `Sluice already runs on this data directory, as process ${other.pid}.`,
    );
    expect(isRunning(part)).toBe(true);
  });

  it('notes each part with its start time, once per name', async () => {
    const record = new StartedParts(folder);
    await record.claim(report);
    const [first, second] = [await sleeper(), await sleeper()];
    record.add('engine', first.pid);
    record.add('engine', second.pid);
    expect(JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8'))).toEqual({
      launcher: identityOf(process.pid),
      parts: [{ name: 'engine', ...second }],
    });
  });
});
