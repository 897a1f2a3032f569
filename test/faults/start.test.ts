import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityOf } from '../../src/process/process-identity.js';
import { type NpmStart, StartPlace } from '../support/npm-start.js';
import { missingPrograms } from '../support/start-sluice.js';

/* What takes a whole start for each case. test/contract/local/start has the rest. */

const isAlive = (pid: number) => identityOf(pid) !== undefined;

describe.skipIf(missingPrograms !== null)('npm start, started again and again', () => {
  let place: StartPlace;
  let run: NpmStart;

  beforeAll(async () => {
    place = await StartPlace.create();
    run = place.run();
    await run.ready();
  });
  afterAll(() => place?.remove());

  it('allows a second instance beside it, with ports and a data directory of its own', async () => {
    const other = await StartPlace.create();
    try {
      const run = other.run({ SLUICE_ADMIN_HOST: '127.0.0.2' });
      await run.ready();
      expect(run.output).toContain(`http://127.0.0.2:${new URL(other.adminUrl).port}`);
      for (const one of [place, other]) expect((await one.ask('one')).status).toBe(200);
    } finally {
      await other.remove();
    }
    expect((await place.ask('still there')).status).toBe(200);
  });

  it('ends the processes that a killed launcher left behind', async () => {
    const before = run.pids();
    process.kill(before.get('launcher') as number, 'SIGKILL');
    await run.exited;
    run = place.run();
    await run.ready();
    expect(run.output).toContain(
      `ending mongod (process ${before.get('mongod')}), which an earlier run left behind`,
    );
    for (const [name, pid] of before) expect(isAlive(pid), name).toBe(false);
  });

  it('stops when Ctrl-C comes in the middle of its start, with nothing left', async () => {
    run.signalGroup('SIGINT');
    expect(await run.exited, run.output).toEqual({ code: 0, signal: null });
    run = place.run();
    await run.printed('mongod  ready');
    const pids = run.pids();
    run.signalGroup('SIGINT');
    run.signalGroup('SIGINT');
    expect(await run.exited, run.output).toEqual({ code: 0, signal: null });
    for (const [name, pid] of pids) if (name !== 'launcher') expect(isAlive(pid), name).toBe(false);
  });
});
