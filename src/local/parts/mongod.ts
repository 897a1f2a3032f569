import { mkdir } from 'node:fs/promises';
import { MongoClient, MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { acceptsConnections } from '../ports.js';
import { Child, plainEnvironment } from '../processes/child.js';
import type { Part } from '../processes/part.js';
import { waitFor } from '../processes/wait.js';

export interface MongodOptions {
  binary: string;
  port: number;
  dataPath: string;
  logPath: string;
  ownGroup: boolean;
  environment: NodeJS.ProcessEnv;
  /** The key file and password. With them, clients need the password. */
  key?: { path: string; password: string };
}

/** The only user. The database belongs to it alone, so it may do everything. */
const USER = 'sluice';

const REPLICA_SET = 'rs0';
const ALREADY_INITIALIZED = 23;
const AUTHENTICATION_FAILED = 18;
/**
 * Error codes while mongod loads its configuration or becomes primary: NotYetInitialized, ConfigurationInProgress and
 * similar.
 */
const PASSING_STATES = new Set([94, 109, 189, 10107, 11602, 13435, 13436]);

export function mongodUri(port: number, database: string, password?: string): string {
  const user = password === undefined ? '' : `${USER}:${encodeURIComponent(password)}@`;
  const source = password === undefined ? '' : '&authSource=admin';
  return `mongodb://${user}127.0.0.1:${port}/${database}?replicaSet=${REPLICA_SET}${source}`;
}

/**
 * A replica set with one node on the loopback address, so that majority writes and change streams work as in
 * production.
 */
export function mongodPart(options: MongodOptions): Part {
  return {
    name: 'mongod',
    note: `127.0.0.1:${options.port}`,
    stopPatienceMs: 60_000,
    async spawn() {
      await mkdir(options.dataPath, { recursive: true });
      return Child.start({
        name: 'mongod',
        command: options.binary,
        arguments: mongodArguments(options),
        environment: plainEnvironment(options.environment),
        logPath: options.logPath,
        ownGroup: options.ownGroup,
      });
    },
    ready: (signal) => becomePrimary(options, signal),
  };
}

function mongodArguments({ port, dataPath, key }: MongodOptions): string[] {
  return [
    ...['--replSet', REPLICA_SET, '--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', dataPath],
    ...['--nounixsocket', '--quiet'],
    // The size of the cache in GB. With 0.25, MongoDB refuses to write documents near its limit of 16 MiB, because a
    // transaction is too large for the cache.
    ...['--wiredTigerCacheSizeGB', '0.5'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // The open transaction of an engine that was killed blocks its logs for this long. Sluice's own transactions take
    // well under a second.
    ...['--setParameter', 'transactionLifetimeLimitSeconds=10'],
    ...(key === undefined ? [] : ['--keyFile', key.path]),
  ];
}

/**
 * Makes the node primary. Each step can be repeated, because a mongod that changes its state, for example to another
 * port, closes its connections.
 */
async function becomePrimary(options: MongodOptions, signal: AbortSignal): Promise<void> {
  const patience = { timeoutMs: 60_000, signal };
  // A client whose first connection failed stays closed, so the client is created only when something listens.
  await waitFor('mongod accepts connections', () => acceptsConnections(options.port), patience);
  const isFinal = (error: unknown) => !mayPass(error);
  await waitFor('mongod is primary', () => isPrimary(options), { ...patience, isFinal });
}

/** Whether the same step may succeed a moment later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof MongoServerError) return PASSING_STATES.has(Number(error.code));
  return error instanceof MongoNetworkError || error instanceof MongoServerSelectionError;
}

/** Does what is still missing, and returns whether the replica set is ready. */
async function isPrimary({ port, key }: MongodOptions): Promise<boolean> {
  const client = await connect(port, key?.password);
  const admin = client.db('admin');
  try {
    await configureReplicaSet(client, `127.0.0.1:${port}`);
    if ((await admin.command({ hello: 1 })).isWritablePrimary !== true) return false;
    if (key !== undefined && client.options.credentials === undefined) {
      await admin.command({ createUser: USER, pwd: key.password, roles: ['root'] });
    }
    return true;
  } finally {
    await client.close();
  }
}

/**
 * Connects to mongod. Where there is no user yet, it connects without one: MongoDB lets a local client create the
 * first user.
 */
async function connect(port: number, password: string | undefined): Promise<MongoClient> {
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  if (password !== undefined) {
    const client = new MongoClient(uri, { auth: { username: USER, password } });
    try {
      return await client.connect();
    } catch (error) {
      await client.close();
      if (!(error instanceof MongoServerError && error.code === AUTHENTICATION_FAILED)) throw error;
    }
  }
  return new MongoClient(uri);
}

/** Updates the member's address in the replica set's configuration, because the port may have changed. */
async function configureReplicaSet(client: MongoClient, host: string): Promise<void> {
  const admin = client.db('admin');
  try {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
    return;
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === ALREADY_INITIALIZED)) throw error;
  }
  // Everyone may send this command, even before there is a user.
  const { hosts } = await admin.command({ hello: 1 });
  if (hosts?.includes(host)) return;
  const { config } = await admin.command({ replSetGetConfig: 1 });
  if (config.members[0].host === host) return;
  const members = [{ ...config.members[0], host }];
  const version = config.version + 1;
  await admin.command({ replSetReconfig: { ...config, members, version }, force: true });
}
