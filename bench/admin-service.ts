import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAdminServer } from '../src/admin/server.js';
import { systemClock } from '../src/core/clock.js';
import { findProgram } from '../src/local/binaries/binaries.js';
import { MONGOD } from '../src/local/binaries/programs.js';
import { mongodPart, mongodUri } from '../src/local/parts/mongod.js';
import { reservePort } from '../src/local/ports.js';
import { startPart } from '../src/local/processes/part.js';
import { connectStore, type Store } from '../src/store/store.js';

export const ADMIN_KEY = 'sk-bench';

export interface AdminService {
  store: Store;
  /** Of MongoDB. */
  uri: string;
  url: string;
}

const logger = { info: () => {}, warn: console.warn, error: console.error };

/**
 * Runs `work` on an admin service of this process and a mongod of its own, with one admin key. What is in the folder
 * `data` is kept for another run; without it nothing is.
 */
export async function withAdminService<Result>(
  data: string | undefined,
  work: (service: AdminService) => Promise<Result>,
): Promise<Result> {
  const folder = data === undefined ? await mkdtemp(join(tmpdir(), 'sluice-bench-')) : resolve(data);
  try {
    return await serve(folder, work);
  } finally {
    if (data === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function serve<Result>(
  folder: string,
  work: (service: AdminService) => Promise<Result>,
): Promise<Result> {
  const binary = await findProgram(MONGOD, { environment: process.env, report: console.error });
  const reservation = await reservePort();
  await mkdir(folder, { recursive: true });
  const mongod = mongodPart({
    binary,
    port: reservation.port,
    dataPath: join(folder, 'data'),
    logPath: join(folder, 'mongod.log'),
    ownGroup: false,
    environment: process.env,
  });
  const child = await startPart(mongod);
  const uri = mongodUri(reservation.port, 'bench');
  const store = connectStore({ uri, logger, searchesWords: () => true });
  const server = await createAdminServer({
    store,
    directory: directoryOfOneKey(),
    limits: () => ({
      metadata_bytes: 65_536,
      body_values: 300_000,
      feedback_per_log: 10_000,
      request_body_bytes: 33_554_432,
      response_body_bytes: 33_554_432,
    }),
    plugins: () => [],
    fileEndpoints: () => [],
    checkGuards: async () => ({ decision: 'pass', plugin_runs: [] }),
    checkEndpoint: () => [],
    generateKey: () => ({ key: '', hash: '', prefix: '' }),
    dashboard: () => ({}),
    gatewayUrl: () => '',
    engineFeed: { isKey: () => false, follow: () => undefined },
    engineLogs: { take: async () => ({ stored: 0, refused: [] }) },
    health: () => ({ ready: true, parts: {} }),
    logger,
    clock: systemClock,
  });
  try {
    return await work({ store, uri, url: await server.listen({ host: '127.0.0.1', port: 0 }) });
  } finally {
    await server.close();
    await store.close();
    await child.stop(mongod.stopPatienceMs);
    await reservation.release();
  }
}

function directoryOfOneKey() {
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
  const admin = { hash: hashOf(ADMIN_KEY), name: 'bench', isAdmin: true, scopes: new Map() };
  const findKeyByHash = (hash: string) => (hash === admin.hash ? admin : undefined);
  return {
    project: () => undefined,
    projects: () => [],
    findKey: (text: string) => findKeyByHash(hashOf(text)),
    findKeyByHash,
    keys: () => [],
    refresh: async () => {},
  };
}
