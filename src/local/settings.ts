import { resolve } from 'node:path';
import { readEnvironment } from '../config/environment.js';
import { StartError } from './processes/start-error.js';

/** The settings that `npm start` reads from the environment, with defaults and absolute paths. */
export interface LocalSettings {
  /** The address that the gateway listens on. */
  host: string;
  adminHost: string;
  gatewayPort: number;
  adminPort: number;
  dataFolder: string;
  /** The operator's configuration file; undefined where the demo runs. */
  configPath: string | undefined;
  /** The operator's MongoDB; undefined where a mongod is started. */
  mongodbUri: string | undefined;
  /** The operator's admin key; undefined where one is generated and kept. */
  adminKey: string | undefined;
}

export function readLocalSettings(variables: NodeJS.ProcessEnv, folder: string): LocalSettings {
  const result = readEnvironment(variables);
  if ('mistakes' in result) throw new StartError(result.mistakes.join('\n'));
  const { host, adminHost, gatewayPort, adminPort, dataFolder, configFile, mongodbUri, adminKey } =
    result.environment;
  return {
    host,
    adminHost,
    gatewayPort,
    adminPort,
    dataFolder: resolve(folder, dataFolder),
    configPath: configFile === undefined ? undefined : resolve(folder, configFile),
    mongodbUri: mongodbUri?.reveal(),
    adminKey: adminKey?.reveal(),
  };
}
