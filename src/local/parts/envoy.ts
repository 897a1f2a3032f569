import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drainTimeOfFile } from '../../envoy/drain-time.js';
import { EnvoyAdmin } from '../../envoy/envoy-admin.js';
import { ENVOY_ADMIN_SOCKET } from '../../envoy/names.js';
import { Child, plainEnvironment } from '../processes/child.js';
import type { Part } from '../processes/part.js';
import { runProgram } from '../processes/run-program.js';
import { waitFor } from '../processes/wait.js';
import { mainPath } from './engine.js';

export interface EnvoyOptions {
  binary: string;
  /** The main file of another version, to use in place of `mainPath`. */
  program?: string;
  configPath: string;
  gatewayUrl: string;
  dataFolder: string;
  /** The environment of the engine, so that both read the same settings for the bootstrap. */
  environment: NodeJS.ProcessEnv;
  /** Creates the bootstrap in this process, in place of running `envoy-config`. */
  render?: () => Promise<string>;
  logPath: string;
  ownGroup: boolean;
}

const READY_TIMEOUT_MS = 30_000;

export function envoyAdminOf(dataFolder: string): EnvoyAdmin {
  return new EnvoyAdmin(join(dataFolder, ENVOY_ADMIN_SOCKET));
}

export function envoyPart(options: EnvoyOptions): Part {
  const admin = envoyAdminOf(options.dataFolder);
  return {
    name: 'Envoy',
    note: `gateway at ${options.gatewayUrl}`,
    stopPatienceMs: 10_000,
    async spawn() {
      const bootstrapPath = await writeBootstrap(options);
      await rm(admin.socketPath, { force: true });
      return Child.start({
        name: 'Envoy',
        command: options.binary,
        // Without a dynamic base id, a second Envoy on the machine would use the shared memory of the first.
        arguments: ['-c', bootstrapPath, '--use-dynamic-base-id', '--log-level', 'warning'],
        environment: plainEnvironment(options.environment),
        logPath: options.logPath,
        ownGroup: options.ownGroup,
      });
    },
    async ready(signal) {
      await waitFor('Envoy is live', () => admin.isLive(), { timeoutMs: READY_TIMEOUT_MS, signal });
    },
    drain: async (report) => admin.drain(report, await drainTimeOfFile(options.configPath)),
  };
}

async function writeBootstrap(options: EnvoyOptions): Promise<string> {
  const text = await (options.render?.() ?? askForBootstrap(options));
  const path = join(options.dataFolder, 'envoy.yaml');
  // Only the owner may read it, because it may contain credentials in the headers for a collector.
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

async function askForBootstrap(options: EnvoyOptions): Promise<string> {
  const parameters = [options.program ?? mainPath, 'envoy-config', '--config', options.configPath];
  const result = await runProgram(process.execPath, parameters, { environment: options.environment });
  if (result.code !== 0) throw new Error(`envoy-config failed: ${result.problem}`);
  return result.stdout;
}
