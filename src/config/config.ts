import type { Secret } from '../core/secret.js';
import type {
  CorsSettings,
  Endpoint,
  Limits,
  LimitWebhook,
  Provider,
  Scope,
  Search,
  SpoolSettings,
  TrafficLimit,
} from '../core/settings.js';

export interface FileKey {
  name: string;
  secret: Secret;
  scopes: Scope[];
  /** The endpoints that the key may call; absent means every endpoint. */
  endpoints?: string[];
}

export interface FileProject {
  /** The project's UUID in lower case. */
  uid: string;
  name: string;
  keys: FileKey[];
  endpoints: Endpoint[];
  retention_days?: number;
  /** What `q` searches; `recent` by default. */
  search?: Search;
  limits?: TrafficLimit[];
  cors?: CorsSettings;
  limit_webhook?: LimitWebhook;
}

export interface AdminKey {
  name: string;
  secret: Secret;
}

/** Absolute paths of PEM files. */
export interface ListenTls {
  cert_file: string;
  key_file: string;
  client_ca_file?: string;
}

/** Where the engine serves Envoys of other machines. */
export interface EngineListen {
  /** The IP address and port to listen on. */
  address: string;
  tls?: 'none' | ListenTls;
}

/** The whole of sluice.yaml, validated, with its defaults and the values of environment variables. */
export interface Config {
  providers: ReadonlyMap<string, Provider>;
  projects: FileProject[];
  adminKeys: AdminKey[];
  limits: Limits;
  spool: SpoolSettings;
  /** URLs in the normal form of a URL parser: a bare origin ends in a slash, so that it is not a prefix of another host. */
  webhooks: { allowed_urls: string[] };
  engine: { workers: number | 'auto'; listen?: EngineListen };
  /** `from` is the URL of the admin service that engines follow. `key` is the key of engines, which is used for logs too. */
  directory: { from?: string; key?: Secret };
  /** `to` is the URL of the admin service that engines ship logs to. */
  logs: { to?: string };
  dashboard: { trace_url?: string };
  /** The plugin modules: absolute paths, or names of packages. */
  pluginModules: string[];
}
