import { resolve } from 'node:path';
import { StartError } from './start-error.js';

/** What `npm start` reads of the environment, with the defaults filled in and paths made absolute. */
export interface LocalSettings {
  gatewayPort: number;
  adminPort: number;
  dataDirectory: string;
  /** Undefined: the demo. */
  configPath: string | undefined;
  /** Undefined: a mongod is started. */
  mongodbUri: string | undefined;
  /** Undefined: one is made and kept. */
  adminKey: string | undefined;
}

export function readLocalSettings(environment: NodeJS.ProcessEnv, directory: string): LocalSettings {
  const gatewayPort = readPort(environment, 'SLUICE_GATEWAY_PORT', 8080);
  const adminPort = readPort(environment, 'SLUICE_ADMIN_PORT', 8081);
  if (gatewayPort === adminPort) {
    throw new StartError(
      `SLUICE_GATEWAY_PORT and SLUICE_ADMIN_PORT are both ${gatewayPort}: give two ports.`,
    );
  }
  const configPath = environment.SLUICE_CONFIG || undefined;
  return {
    gatewayPort,
    adminPort,
    dataDirectory: resolve(directory, environment.SLUICE_DATA_DIR || '.sluice'),
    configPath: configPath === undefined ? undefined : resolve(directory, configPath),
    mongodbUri: environment.MONGODB_URI || undefined,
    adminKey: environment.SLUICE_ADMIN_KEY || undefined,
  };
}

function readPort(environment: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = environment[name];
  if (text === undefined || text === '') return fallback;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new StartError(`${name}=${text} is no port: give a number from 1 to 65535.`);
}
