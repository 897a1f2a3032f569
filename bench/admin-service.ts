import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAdminServer } from '../src/admin/server.js';
import { Secret } from '../src/core/secret.js';
import { createDirectory } from '../src/directory/directory.js';
import { connectStore, type Store } from '../src/store/store.js';
import { adminDependencies } from '../test/support/admin-dependencies.js';
import { type Started, startMongod } from './processes.js';

export const ADMIN_KEY = 'sk-bench';

export interface AdminService {
  store: Store;
  /** The URI of MongoDB. */
  uri: string;
  mongod: Started;
  url: string;
}

const logger = { debug: () => {}, info: () => {}, warn: console.warn, error: console.error };
const STOP_MS = 60_000;

/**
 * Runs `work` with an admin service in this process and its own mongod, with one admin key. The folder `data` is kept
 * for another run; without it the data is deleted.
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
  await mkdir(folder, { recursive: true });
  const mongod = await startMongod(folder);
  const { child, url: uri } = mongod;
  const store = connectStore({ uri, logger, searchesWords: () => true });
  const file = {
    providers: new Map(),
    projects: [],
    adminKeys: [{ name: 'bench', secret: new Secret(ADMIN_KEY) }],
  };
  const directory = createDirectory({ file, source: store.directory, logger });
  const server = await createAdminServer(adminDependencies({ store, directory, logger }));
  try {
    return await work({ store, uri, mongod, url: await server.listen({ host: '127.0.0.1', port: 0 }) });
  } finally {
    await server.close();
    await store.close();
    await child.stop(STOP_MS);
  }
}
