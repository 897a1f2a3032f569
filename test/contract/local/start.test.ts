import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tailLogs } from '../../../src/commands/read-logs.js';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { DEMO_KEY, DEMO_PROJECT, tourStops } from '../../../src/local/tour.js';
import { identityOf } from '../../../src/process/process-identity.js';
import { type NpmStart, StartPlace } from '../../support/npm-start.js';
import { missingPrograms } from '../../support/start-sluice.js';

const PATIENCE = { timeoutMs: 60_000 };
const headers = { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' };
const isAlive = (pid: number) => identityOf(pid) !== undefined;

/** A question whose answer the mock model streams for about two seconds. */
const LONG = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

const configOf = (...endpoints: string[]) => `
projects:
  - uid: ${DEMO_PROJECT}
    name: mine
    api_keys: [{ name: mine, key: ${DEMO_KEY}, scopes: [inference, logs] }]
    endpoints:
${endpoints.map((name) => `      - { name: ${name}, models: [{ provider: mock, model: large }] }`).join('\n')}
`;

/** Its endpoints have the mock model without a provider in the file; mistakes are told where it runs. */
async function followsItsFile(place: StartPlace, run: NpmStart, file: string): Promise<void> {
  expect(run.output).toMatch(/^mine: API keys +mine \(model: first\)$/m);
  expect(run.output).toContain(`/${DEMO_PROJECT}/openai/v1/chat/completions`);
  expect(run.output).not.toContain(DEMO_KEY);
  expect((await place.ask('Hello', { model: 'first' })).status).toBe(200);
  expect((await place.ask('Hello', { model: 'second' })).status).toBe(404);
  expect((await place.sluice('doctor', '--config', file)).stdout).toContain('✓ provider mock');
  await writeFile(file, configOf('first', 'second'));
  const answers = async () => (await place.ask('Hello', { model: 'second' })).status === 200;
  await waitFor('the new endpoint answers', answers, PATIENCE);
  await writeFile(file, `${configOf('first')}surprise: 1\n`);
  await run.printed('surprise: unknown key');
}

describe.skipIf(missingPrograms !== null)('npm start', () => {
  let place: StartPlace;
  let run: NpmStart;

  beforeAll(async () => {
    place = await StartPlace.create();
    run = place.run();
    await run.ready();
  });
  afterAll(() => place?.remove());

  it('prints each part that is ready, and where to find things', () => {
    for (const name of ['mongod', 'model', 'engine', 'Envoy']) {
      expect(run.output).toMatch(new RegExp(`^${name} +ready `, 'm'));
    }
    expect(run.output).toContain(`${place.gatewayUrl}/${DEMO_PROJECT}/openai/v1`);
    expect(run.output).toContain(`${place.adminUrl}/`);
  });

  it('makes an admin key that only its owner can read, and prints it', async () => {
    const key = /^Admin key +(\S+)$/m.exec(run.output)?.[1] as string;
    expect(statSync(join(place.dataFolder, 'admin-key')).mode & 0o777).toBe(0o600);
    const response = await fetch(`${place.adminUrl}/api/projects`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
  });

  it('is found by `sluice doctor` and `sluice guard` beside it', async () => {
    expect(statSync(join(place.dataFolder, 'instance.json')).mode & 0o777).toBe(0o600);
    // Indexes are built beside the start.
    await expect
      .poll(async () => (await place.sluice('doctor')).stdout.match(/^✗.*$/gm), { timeout: 30_000 })
      .toBeNull();
    const { code, stdout } = await place.sluice('guard', 'replay', '--endpoint', 'demo', '--limit', '5');
    expect([code, stdout]).toEqual([0, expect.stringContaining('"logs":')]);
  });

  it('prints its logs with `sluice logs get` and `sluice logs tail` beside it', async () => {
    const answer = await place.ask('Where is my parcel?');
    const id = answer.headers.get('x-inference-log-id')!;
    await expect.poll(async () => (await place.sluice('logs', 'get', id)).code, { timeout: 20_000 }).toBe(0);
    const { stdout } = await place.sluice('logs', 'get', id);
    expect(JSON.parse(stdout)).toMatchObject({
      id,
      status: 'success',
      preview: { input: 'Where is my parcel?' },
    });
    const second = (await place.ask('And my letter?')).headers.get('x-inference-log-id')!;
    await expect
      .poll(async () => (await place.sluice('logs', 'get', second)).code, { timeout: 20_000 })
      .toBe(0);
    const lines: string[] = [];
    const ended = new AbortController();
    const tail = tailLogs({
      limit: 1,
      url: place.adminUrl,
      key: await readFile(join(place.dataFolder, 'admin-key'), 'utf8'),
      write: (line) => lines.push(line),
      signal: ended.signal,
    });
    await expect.poll(() => lines.join('\n'), { timeout: 20_000 }).toContain('And my letter?');
    await place.ask('I am jane@example.com.');
    await expect.poll(() => lines.join('\n'), { timeout: 20_000 }).toContain('→ pii_detected');
    // One that was there, and the one that came. Those before are not new.
    expect(lines.filter((line) => line.includes(second))).toHaveLength(1);
    expect(lines.filter((line) => line.includes(id))).toEqual([]);
    ended.abort();
    expect(await tail).toBe(0);
  });

  it('prints a tour whose commands work when pasted', async ({ skip }) => {
    skip((await runProgram('curl', ['--version'], { environment: process.env })).code !== 0, 'needs curl');
    const stops = tourStops(place);
    const printed = run.output.split('\n');
    const script = stops.flatMap((stop) => [...stop.commands, 'echo; echo @@@']);
    for (const stop of stops) for (const command of stop.commands) expect(printed).toContain(command);
    const { stdout } = await promisify(execFile)('bash', ['-c', script.join('\n')]);
    const outputs = stdout.split('@@@\n');
    for (const [index, stop] of stops.entries()) expect(outputs[index], stop.title).toContain(stop.shows);
  });

  it('refuses a data directory that is already in use, and a port that is taken', async () => {
    const again = place.run();
    expect(await again.exited).toEqual({ code: 1, signal: null });
    expect(again.output).toContain(
      `Sluice already runs on this data directory, as process ${run.pids().get('launcher')}`,
    );
    const other = await StartPlace.create();
    const port = new URL(place.gatewayUrl).port;
    const clash = other.run({ SLUICE_GATEWAY_PORT: port });
    expect(await clash.exited).toEqual({ code: 1, signal: null });
    expect(clash.output).toContain(
      `Port ${port} of 127.0.0.1 cannot be opened: it is in use by another program.`,
    );
    await other.remove();
  });

  it.each(['engine', 'Envoy', 'mongod'])('starts %s again when it dies', async (name) => {
    const before = run.pids().get(name) as number;
    process.kill(before, 'SIGKILL');
    await run.printed(`${name} was ended by SIGKILL; starting it again`);
    const timesReady = () => run.output.match(new RegExp(`^${name} +ready `, 'gm'))?.length;
    await waitFor(`${name} is ready again`, () => timesReady() === 2, PATIENCE);
    expect(run.pids().get(name)).not.toBe(before);
    await waitFor('it answers', async () => (await place.ask('again')).status === 200, PATIENCE);
  });

  it('lets a stream finish when SIGTERM comes twice, exits with 0, and has its log after the next start with its own file', async () => {
    const pids = run.pids();
    const response = await place.ask(LONG, { stream: true });
    run.signal('SIGTERM');
    run.signalGroup('SIGTERM');
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
    expect(await run.exited, run.output).toEqual({ code: 0, signal: null });
    for (const [name, pid] of pids) expect(isAlive(pid), name).toBe(false);

    const file = join(place.dataFolder, 'mine.yaml');
    await writeFile(file, configOf('first'));
    run = place.run({ SLUICE_CONFIG: file });
    await run.ready();
    const id = response.headers.get('x-inference-log-id');
    const log = await fetch(`${place.adminUrl}/${DEMO_PROJECT}/logs/${id}`, { headers });
    expect(await log.json()).toMatchObject({ _id: id, status: 'success' });
  });

  it("uses a configuration of one's own", async () => {
    await followsItsFile(place, run, join(place.dataFolder, 'mine.yaml'));
  });
});

describe.skipIf(missingPrograms !== null)('npm start with SLUICE_CONFIG', () => {
  it('prints the mistakes of a file and exits with 1, with nothing left running', async () => {
    const place = await StartPlace.create();
    try {
      const file = join(place.dataFolder, 'mine.yaml');
      await writeFile(file, 'providers: { a: { api: openai, base_ur: "http://127.0.0.1:1/v1" } }\n');
      const run = place.run({ SLUICE_CONFIG: file });
      expect(await run.exited).toEqual({ code: 1, signal: null });
      expect(run.output).toMatch(/mine\.yaml:1:\d+ providers\.a\.base_ur/);
      expect(existsSync(join(place.dataFolder, 'running.json'))).toBe(false);
    } finally {
      await place.remove();
    }
  });
});
