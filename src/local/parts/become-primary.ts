import { MongoClient, MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { acceptsConnections } from '../ports.js';
import { waitFor } from '../processes/wait.js';
import { REPLICA_SET, USER } from './mongod.js';

const ALREADY_INITIALIZED = 23;
const AUTHENTICATION_FAILED = 18;
/**
 * Error codes while mongod loads its configuration or becomes primary: NotYetInitialized, ConfigurationInProgress and
 * similar.
 */
const PASSING_STATES = new Set([94, 109, 189, 10107, 11602, 13435, 13436]);

/**
 * Makes the mongod on a port of this machine primary, and creates the user where `password` is given. Each step can be
 * repeated, because a mongod that changes its state, for example to another port, closes its connections.
 */
export async function becomePrimary(port: number, password?: string): Promise<void> {
  const patience = { timeoutMs: 60_000 };
  // A client whose first connection failed stays closed, so the client is created only when something listens.
  await waitFor('mongod accepts connections', () => acceptsConnections(port), patience);
  const isFinal = (error: unknown) => !mayPass(error);
  await waitFor('mongod is primary', () => isPrimary(port, password), { ...patience, isFinal });
}

/** Whether the same step may succeed a moment later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof MongoServerError) return PASSING_STATES.has(Number(error.code));
  return error instanceof MongoNetworkError || error instanceof MongoServerSelectionError;
}

/** Does what is still missing, and returns whether the replica set is ready. */
async function isPrimary(port: number, password?: string): Promise<boolean> {
  const client = await connect(port, password);
  const admin = client.db('admin');
  try {
    await configureReplicaSet(client, `127.0.0.1:${port}`);
    if ((await admin.command({ hello: 1 })).isWritablePrimary !== true) return false;
    if (password !== undefined && client.options.credentials === undefined) {
      await admin.command({ createUser: USER, pwd: password, roles: ['root'] });
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
