import { fileURLToPath } from 'node:url';
import { MALLOC_ENVIRONMENT, NODE_FLAGS } from '../../process/memory.js';
import type { Role } from '../../process/role.js';
import { Child } from '../processes/child.js';
import { httpRequest } from '../processes/http-request.js';
import type { Part } from '../processes/part.js';
import { waitFor } from '../processes/wait.js';

export interface EngineOptions {
  configPath: string;
  adminUrl: string;
  /** All variables that the engine reads: ports, data directory, MONGODB_URI, keys. */
  environment: NodeJS.ProcessEnv;
  logPath: string;
  /** Which roles the process has; both by default. */
  role?: Role;
  /** The main file of another version, to run in place of this version. */
  program?: string;
  /** More options of Node.js, such as those of a measurement. */
  nodeFlags?: readonly string[];
  ownGroup: boolean;
}

/** The built command line. The path is the same from `src/local` and from `dist/local`. */
export const mainPath = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

const READY_TIMEOUT_MS = 60_000;

/**
 * Engine and admin service in one process. Envoy starts as soon as they are up; `waitUntilReady` waits for
 * everything.
 */
export function enginePart(options: EngineOptions): Part {
  return {
    name: 'engine',
    note: `admin at ${options.adminUrl}`,
    stopPatienceMs: 60_000,
    spawn: () =>
      Child.start({
        name: 'engine',
        command: process.execPath,
        arguments: [
          ...NODE_FLAGS,
          ...(options.nodeFlags ?? []),
          ...[options.program ?? mainPath, 'serve', '--config', options.configPath],
          ...(options.role === undefined ? [] : ['--role', options.role]),
        ],
        environment: { ...MALLOC_ENVIRONMENT, ...options.environment },
        logPath: options.logPath,
        ownGroup: options.ownGroup,
      }),
    ready: (signal) => waitForStatus(options.adminUrl, '/healthz/live', signal),
    isAlive: async (signal) => {
      const { status } = await httpRequest(`${options.adminUrl}/healthz/live`, { signal });
      return status === 200;
    },
  };
}

/** Resolves once engine, storage and Envoy report that they can serve. */
export function waitUntilReady(adminUrl: string, signal: AbortSignal): Promise<void> {
  return waitForStatus(adminUrl, '/healthz/ready', signal);
}

async function waitForStatus(adminUrl: string, path: string, signal: AbortSignal): Promise<void> {
  await waitFor(
    `${path} of the admin port answers 200`,
    async () => {
      const { status, text } = await httpRequest(`${adminUrl}${path}`, {
        signal: AbortSignal.timeout(5_000),
      });
      if (status !== 200) throw new Error(`${status} ${text}`);
      return true;
    },
    { timeoutMs: READY_TIMEOUT_MS, signal },
  );
}
