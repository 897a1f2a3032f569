import type { CorsSettings, Endpoint, ManagedBy, Provider, Scope, Search, TrafficLimit } from './settings.js';

/** A key as the gateway knows it: its hash, never its text. */
export interface ApiKey {
  id: string;
  name: string;
  /** The SHA-256 of the key's text, in hexadecimal. */
  hash: string;
  /** The first characters of the key, by which people recognize it. */
  prefix: string;
  scopes: readonly Scope[];
  /** The endpoints that the key may call; absent means every endpoint. */
  endpoints?: readonly string[];
  /** The time from which on the key opens nothing, in ISO 8601. Absent: never. */
  expires_at?: string;
  managed_by: ManagedBy;
}

export interface Project {
  uid: string;
  name: string;
  enabled: boolean;
  managed_by: ManagedBy;
  retention_days?: number;
  /** What `q` searches; `recent` by default. */
  search?: Search;
  /** The same array as long as nothing in the project changes. */
  limits?: readonly TrafficLimit[];
  cors?: CorsSettings;
  endpoints: ReadonlyMap<string, Endpoint>;
}

/** A key with what it opens: an admin key opens everything, another key the projects that list it. */
export interface KnownKey {
  /** The SHA-256 of the key's text, in hexadecimal. */
  hash: string;
  name: string;
  isAdmin: boolean;
  /**
   * The scopes by the uid of the project, in lower case; empty for an admin key. Most keys open one project, but a
   * file may list a key in several.
   */
  scopes: ReadonlyMap<string, readonly Scope[]>;
}

/** Projects, keys and providers in memory. Every call returns at once: no request waits for the database. */
export interface Directory {
  project(uid: string): Project | undefined;
  provider(name: string): Provider | undefined;
  /** The key with this text in this project. Texts are compared in constant time. */
  authenticate(projectUid: string, keyText: string): ApiKey | undefined;
  /** The name of the admin key with this text; undefined where there is none. */
  authenticateAdmin(keyText: string): string | undefined;
}
