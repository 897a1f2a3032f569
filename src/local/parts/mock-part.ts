import { fileURLToPath } from 'node:url';
import { acceptsConnections } from '../ports.js';
import { Child, plainEnvironment } from '../processes/child.js';
import type { Part } from '../processes/part.js';
import { waitFor } from '../processes/wait.js';

export interface MockPartOptions {
  port: number;
  logPath: string;
  environment: NodeJS.ProcessEnv;
}

const mockMainPath = fileURLToPath(new URL('../../../dist/local/mock-model/main.js', import.meta.url));

export function mockPart({ port, logPath, environment }: MockPartOptions): Part {
  return {
    name: 'model',
    note: `mock model at http://127.0.0.1:${port}/v1`,
    stopPatienceMs: 10_000,
    spawn: () =>
      Child.start({
        name: 'model',
        command: process.execPath,
        arguments: [mockMainPath, String(port)],
        environment: plainEnvironment(environment),
        logPath,
        ownGroup: true,
      }),
    async ready(signal) {
      await waitFor('the mock model listens', () => acceptsConnections(port), { timeoutMs: 30_000, signal });
    },
  };
}
