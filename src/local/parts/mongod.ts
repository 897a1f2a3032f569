import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Child, plainEnvironment } from '../processes/child.js';
import type { Part } from '../processes/part.js';
import { runProgram } from '../processes/run-program.js';

export interface MongodOptions {
  binary: string;
  port: number;
  dataPath: string;
  logPath: string;
  ownGroup: boolean;
  environment: NodeJS.ProcessEnv;
  /** The key file and password. With them, clients need the password. */
  key?: { path: string; password: string };
  /** Keeps little of the database in memory, which makes searches through many logs slower. */
  littleMemory?: boolean;
}

/** The only user. The database belongs to it alone, so it may do everything. */
export const USER = 'sluice';

export const REPLICA_SET = 'rs0';

const becomePrimaryPath = fileURLToPath(
  new URL('../../../dist/local/parts/become-primary-program.js', import.meta.url),
);

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

function mongodArguments({ port, dataPath, key, littleMemory }: MongodOptions): string[] {
  return [
    ...['--replSet', REPLICA_SET, '--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', dataPath],
    ...['--nounixsocket', '--quiet'],
    // The size of the cache in GB. With 0.25, MongoDB refuses to write documents near its limit of 16 MiB, because a
    // transaction is too large for the cache.
    ...['--wiredTigerCacheSizeGB', '0.5'],
    // With little memory the cache still has room for a large transaction, and is otherwise emptied down to 10 percent. By
    // default it fills up, to 500 MiB of memory after 40,000 requests, and MongoDB reserves 40 MiB for 33,000 sessions; an
    // engine has 50 connections.
    ...(littleMemory === true
      ? ['--wiredTigerEngineConfigString', 'eviction_target=10,session_max=4000']
      : []),
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // The open transaction of an engine that was killed blocks its logs for this long. Sluice's own transactions take
    // well under a second.
    ...['--setParameter', 'transactionLifetimeLimitSeconds=10'],
    ...(key === undefined ? [] : ['--keyFile', key.path]),
  ];
}

/**
 * The node becomes primary in a process of its own. With MongoDB's driver, whoever starts mongod would hold some 20 MiB
 * more for as long as it runs.
 */
async function becomePrimary({ port, key }: MongodOptions, signal: AbortSignal): Promise<void> {
  const parameters = [becomePrimaryPath, String(port), ...(key === undefined ? [] : [key.path])];
  const { code, problem } = await runProgram(process.execPath, parameters, {
    environment: plainEnvironment(process.env),
    signal,
  });
  signal.throwIfAborted();
  if (code !== 0) throw new Error(problem);
}
