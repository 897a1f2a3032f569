import { isIP } from 'node:net';
import { Secret } from '../core/secret.js';
import { PATTERNS } from './schema-parts.js';
import { isKeyText } from './written-keys.js';

/** The environment of the process, read once. Paths are kept as written. */
export interface Environment {
  /** `SLUICE_CONFIG`: the path of sluice.yaml. */
  configFile?: string;
  /** `SLUICE_HOST` (127.0.0.1): the address that the gateway listens on. */
  host: string;
  /** `SLUICE_ADMIN_HOST` (`SLUICE_HOST`): the address that the admin port listens on. */
  adminHost: string;
  /** `SLUICE_ADMIN_URL`: where the admin service is, for an engine without one of its own. */
  adminUrl?: URL;
  /** `SLUICE_GATEWAY_URL`: where clients reach the gateway, if not at this host and port. */
  gatewayUrl?: URL;
  /**
   * `SLUICE_TRUSTED_PROXIES`: addresses, or networks, of proxies in front of the admin port that are trusted to name
   * the client's address.
   */
  trustedProxies?: string[];
  /** `SLUICE_GATEWAY_PORT` (8080): the port of the gateway. */
  gatewayPort: number;
  /** `SLUICE_ADMIN_PORT` (8081): the port of the admin service. */
  adminPort: number;
  /** `SLUICE_DATA_DIR` (`.sluice`): the data directory. */
  dataFolder: string;
  /** `MONGODB_URI`; it can hold a password. */
  mongodbUri?: Secret;
  /** `ENVOY_BIN`: the path of Envoy's binary. */
  envoyBinary?: string;
  /** `MONGOD_BIN`: the path of mongod's binary. */
  mongodBinary?: string;
  /** `SLUICE_ADMIN_KEY`: an admin key. */
  adminKey?: Secret;
  /** `SLUICE_LOG_LEVEL` (`info`): the lowest level that is logged. */
  logLevel: LogLevel;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type EnvironmentResult = { environment: Environment } | { mistakes: string[] };

const OTLP_ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
] as const;

/** Reads all known variables and reports each invalid one. An empty variable counts as not set. */
export function readEnvironment(env: NodeJS.ProcessEnv): EnvironmentResult {
  const mistakes: string[] = [];
  const textOf = (name: string) => env[name] || undefined;
  const port = (name: string, standard: number) => {
    const text = textOf(name);
    if (text === undefined) return standard;
    if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535) return Number(text);
    mistakes.push(`${name}: expected a whole number from 1 to 65535, found ${JSON.stringify(text)}`);
    return standard;
  };
  const secret = (name: string) => {
    const text = textOf(name);
    return text === undefined ? undefined : new Secret(text);
  };
  const origin = (name: string) => {
    const text = textOf(name);
    if (text === undefined) return undefined;
    if (/^https?:\/\/[^/?#@]+\/?$/i.test(text) && URL.canParse(text)) return new URL(text);
    mistakes.push(`${name}: expected an http or https URL without path and credentials`);
    return undefined;
  };
  const level = textOf('SLUICE_LOG_LEVEL')?.toLowerCase() ?? 'info';
  const logLevel = LOG_LEVELS.find((name) => name === level);
  if (logLevel === undefined) {
    mistakes.push(
      `SLUICE_LOG_LEVEL: expected one of ${LOG_LEVELS.join(', ')}, found ${JSON.stringify(level)}`,
    );
  }
  const environment: Environment = {
    configFile: textOf('SLUICE_CONFIG'),
    host: textOf('SLUICE_HOST') ?? '127.0.0.1',
    adminHost: textOf('SLUICE_ADMIN_HOST') ?? textOf('SLUICE_HOST') ?? '127.0.0.1',
    adminUrl: origin('SLUICE_ADMIN_URL'),
    gatewayUrl: origin('SLUICE_GATEWAY_URL'),
    trustedProxies: textOf('SLUICE_TRUSTED_PROXIES')
      ?.split(',')
      .map((address) => address.trim()),
    gatewayPort: port('SLUICE_GATEWAY_PORT', 8080),
    adminPort: port('SLUICE_ADMIN_PORT', 8081),
    dataFolder: textOf('SLUICE_DATA_DIR') ?? '.sluice',
    mongodbUri: secret('MONGODB_URI'),
    envoyBinary: textOf('ENVOY_BIN'),
    mongodBinary: textOf('MONGOD_BIN'),
    adminKey: secret('SLUICE_ADMIN_KEY'),
    logLevel: logLevel ?? 'info',
  };
  mistakes.push(...checkEnvironment(environment, env));
  return mistakes.length > 0 ? { mistakes } : { environment };
}

function checkEnvironment(environment: Environment, env: NodeJS.ProcessEnv): string[] {
  const mistakes: string[] = [];
  for (const name of ['SLUICE_HOST', 'SLUICE_ADMIN_HOST']) {
    const host = env[name];
    if (host && isIP(host) === 0) {
      mistakes.push(`${name}: expected an IP address, found ${JSON.stringify(host)}`);
    }
  }
  for (const address of environment.trustedProxies ?? []) {
    if (!isNetwork(address)) {
      mistakes.push(
        `SLUICE_TRUSTED_PROXIES: expected IP addresses or networks such as 10.0.0.0/8 with commas between, found ${JSON.stringify(address)}`,
      );
    }
  }
  if (environment.gatewayPort === environment.adminPort) {
    mistakes.push(
      `SLUICE_ADMIN_PORT: expected another port than SLUICE_GATEWAY_PORT (${environment.gatewayPort})`,
    );
  }
  if (environment.mongodbUri && !/^mongodb(\+srv)?:\/\/./.test(environment.mongodbUri.reveal())) {
    mistakes.push('MONGODB_URI: expected a URI that begins with mongodb:// or mongodb+srv://');
  }
  if (environment.adminKey && !isKeyText(environment.adminKey.reveal())) {
    mistakes.push(`SLUICE_ADMIN_KEY: expected ${PATTERNS.key.expected}`);
  }
  for (const name of OTLP_ENDPOINTS) {
    const text = env[name];
    if (text && !(URL.canParse(text) && /^https?:\/\//i.test(text))) {
      mistakes.push(`${name}: expected an http or https URL`);
    }
  }
  return mistakes;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
