import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { type Borrowed, borrowSluice } from '../../support/borrow-sluice.js';
import { CONFIG } from '../../support/dashboard.js';
import { missingPrograms } from '../../support/start-sluice.js';

const MANIFEST = fileURLToPath(new URL('../../../deploy/kubernetes/gateway.yaml', import.meta.url));

type ProbeName = 'startupProbe' | 'readinessProbe' | 'livenessProbe';

describe.skipIf(missingPrograms !== null)('the probes of Envoy in the chart', () => {
  let borrowed: Borrowed;
  let commands: Record<ProbeName, string[]>;
  const servers: Server[] = [];

  beforeAll(async () => {
    borrowed = await borrowSluice(CONFIG);
    const documents = parseAllDocuments(await readFile(MANIFEST, 'utf8')).map((document) => document.toJS());
    const { containers } = documents.find(({ kind }) => kind === 'Deployment').spec.template.spec;
    const envoy = containers.find(({ name }: { name: string }) => name === 'envoy');
    const commandOf = (name: ProbeName): string[] => envoy[name].exec.command;
    commands = {
      startupProbe: commandOf('startupProbe'),
      readinessProbe: commandOf('readinessProbe'),
      livenessProbe: commandOf('livenessProbe'),
    };
  });

  afterAll(async () => {
    for (const server of servers) server.close();
    await borrowed?.giveBack();
  });

  /** The exit code of a probe against a port of this machine. */
  async function probe(name: ProbeName, port: number): Promise<number | null> {
    const [program, ...words] = commands[name].map((word) => word.replace('/8080', `/${port}`));
    return (await runProgram(program!, words, { environment: process.env })).code;
  }

  /** The port of a server that does this with each connection. */
  async function listen(onConnection: Parameters<typeof createServer>[1]): Promise<number> {
    const server = createServer({}, onConnection);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as { port: number }).port;
  }

  it('succeed where Envoy answers, and fail where nobody listens', async () => {
    const port = Number(new URL(borrowed.sluice.gatewayUrl).port);
    const closed = await listen(undefined);
    servers.at(-1)!.close();
    for (const name of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
      expect([name, await probe(name, port), await probe(name, closed)]).toEqual([name, 0, 1]);
    }
  });

  it('keep an Envoy alive that closes connections at its limit, and send it no clients', async () => {
    const port = await listen((socket) => socket.end());
    expect([await probe('livenessProbe', port), await probe('readinessProbe', port)]).toEqual([0, 1]);
  });

  it('restart an Envoy that accepts a connection and does not answer', async () => {
    const port = await listen((socket) => socket.on('error', () => {}));
    expect(await probe('livenessProbe', port)).toBe(1);
  });
});
