import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { Config } from '../../config/config.js';
import { EXCHANGE_NAMESPACE, ROUTE_NAMESPACE } from '../../envoy/names.js';
import { examineEnvoy } from './examine-envoy.js';

const CONFIG = { providers: new Map(), engine: { workers: 1 } } as unknown as Config;
const DUMP = [
  ROUTE_NAMESPACE,
  EXCHANGE_NAMESPACE,
  'ext_proc_graceful_grpc_close',
  'max_cached_entry_idle_duration',
].join(' ');

/** Answers as Envoy's administration does; from the call of this path on it is gone. */
async function envoyThatEnds(at?: string, state = 'LIVE'): Promise<string> {
  const socket = join(await temporaryFolder(), 'envoy.sock');
  const answers: Record<string, string> = {
    '/server_info': JSON.stringify({ version: 'abc/1.40.0/Clean/RELEASE/BoringSSL', state }),
    '/config_dump': DUMP,
    '/clusters': 'engine::default_priority',
  };
  const server = createServer((request, response) => {
    response.end(answers[request.url ?? ''], () => {
      if (request.url === at) server.close();
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  return socket;
}

const statuses = async (socket: string) =>
  (await examineEnvoy(socket, CONFIG)).map(({ check, status }) => `${check}: ${status}`);

it('accepts an Envoy that is live', async () => {
  expect(await statuses(await envoyThatEnds())).toEqual([
    'envoy: ok',
    'envoy configuration: ok',
    'envoy clusters: ok',
  ]);
});

it.each(['/server_info', '/config_dump', '/clusters'])(
  'reports an Envoy that was told to stop and still says that it is live: after %s',
  async (path) => {
    const [finding, ...others] = await examineEnvoy(await envoyThatEnds(path), CONFIG);
    expect(finding).toMatchObject({ check: 'envoy', status: 'problem' });
    expect(others).toEqual([]);
  },
);

it('reports an Envoy that is draining', async () => {
  expect(await statuses(await envoyThatEnds(undefined, 'DRAINING'))).toEqual(['envoy: problem']);
});
