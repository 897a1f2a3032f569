import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { AdminDependencies, PluginDescription } from '../../src/admin/dependencies.js';
import { createAdminServer } from '../../src/admin/server.js';
import { ImprovementCheck } from '../../src/app/improvement-check.js';
import { type Clock, systemClock } from '../../src/core/clock.js';
import { Secret } from '../../src/core/secret.js';
import type { Scope } from '../../src/core/settings.js';
import { createDirectory, type LiveDirectory } from '../../src/directory/directory.js';
import { connectStore, type Store, type StoreSettings } from '../../src/store/store.js';
import { adminDependencies } from './admin-dependencies.js';
import { endpointOf } from './endpoint.js';
import { openTestDatabase, type TestDatabase } from './mongod.js';
import { silentLogger } from './silent-logger.js';

export const PROJECT = '00000000-0000-4000-8000-000000000001';
export const OTHER_PROJECT = '00000000-0000-4000-8000-000000000002';

/**
 * Keys of the configuration file: one with all scopes, one for each scope, one of the other project, and the admin's.
 */
export const KEYS = {
  all: 'sk-all',
  inference: 'sk-inference',
  feedback: 'sk-feedback',
  logs: 'sk-logs',
  other: 'sk-other',
  admin: 'sk-admin',
} as const;

export interface Answer {
  status: number;
  headers: LightMyRequestResponse['headers'];
  text: string;
  /** The parsed answer; undefined where it is not JSON. */
  json: ReturnType<typeof JSON.parse>;
}

export interface CallOptions {
  /** The key of the call. Default: the key with all scopes. Null means no key. */
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The admin service on a database of its own. Tests call it inside the process, without a port. */
export interface AdminApi {
  server: FastifyInstance;
  store: Store;
  directory: LiveDirectory;
  test: TestDatabase;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

const WEBHOOK_LIKE: PluginDescription = {
  name: 'webhook',
  description: 'Asks a service of yours.',
  phases: ['request', 'response', 'log'],
  configSchema: {
    type: 'object',
    properties: {
      url: { type: 'string' },
      headers: { type: 'object', additionalProperties: { type: 'string' }, writeOnly: true },
    },
  },
};

/** `shared` is the database of another test API, which also drops it. `settings` are those of the store. */
export async function openAdminApi(
  changes: Partial<AdminDependencies> = {},
  clock: Clock = systemClock,
  shared?: TestDatabase,
  settings: Partial<StoreSettings> = {},
): Promise<AdminApi> {
  const test = shared ?? (await openTestDatabase());
  const improvements = new ImprovementCheck(() => 262_144);
  const checkImprovement = improvements.check;
  const store = connectStore({
    uri: test.uri,
    logger: silentLogger,
    clock,
    checkImprovement,
    ...settings,
  });
  await store.ensureIndexes();
  const directory = createDirectory({ file, source: store.directory, logger: silentLogger });
  await directory.start();
  const server = await createAdminServer(
    adminDependencies({
      store,
      directory,
      checkImprovement,
      plugins: () => [WEBHOOK_LIKE],
      providers: () => [
        { name: 'local', api: 'openai', base_url: 'http://127.0.0.1:1/v1', models: ['large', 'priced'] },
      ],
      fileEndpoints: (uid) => file.projects.find((project) => project.uid === uid)?.endpoints ?? [],
      checkEndpoint: (endpoint) =>
        endpoint.models.flatMap(({ provider }, index) =>
          provider === 'local'
            ? []
            : [{ path: `models.${index}.provider`, message: `no provider "${provider}"` }],
        ),
      dashboard: () => ({ trace_url: 'https://traces.example/{trace_id}' }),
      metricsText: async () => '# TYPE sluice_spool_records gauge\nsluice_spool_records 0\n',
      logger: silentLogger,
      clock,
      ...changes,
    }),
  );
  return {
    server,
    store,
    directory,
    test,
    call: (method, path, options) => call(server, method, path, options),
    close: async () => {
      await server.close();
      await directory.stop();
      await store.close();
      await improvements.close();
      if (shared === undefined) await test.drop();
    },
  };
}

async function call(
  server: FastifyInstance,
  method: string,
  path: string,
  { key = KEYS.all, body, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const response = await server.inject({
    method: method as 'GET',
    url: path,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = response.body;
  const isJson = /^application\/json(;|$)/.test(String(response.headers['content-type']));
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

const key = (text: string, scopes: Scope[]) => ({ name: text, secret: new Secret(text), scopes });

const ENDPOINT = endpointOf({ fallback_on: [] });

const file = {
  providers: new Map(),
  projects: [
    {
      uid: PROJECT,
      name: 'demo',
      keys: [
        key(KEYS.all, ['inference', 'feedback', 'logs']),
        key(KEYS.inference, ['inference']),
        key(KEYS.feedback, ['feedback']),
        key(KEYS.logs, ['logs']),
      ],
      endpoints: [ENDPOINT],
    },
    { uid: OTHER_PROJECT, name: 'other', keys: [key(KEYS.other, ['feedback', 'logs'])], endpoints: [] },
  ],
  adminKeys: [{ name: 'root', secret: new Secret(KEYS.admin) }],
};
