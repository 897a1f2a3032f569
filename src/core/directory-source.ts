import type { CorsSettings, Endpoint, Scope, Search, TrafficLimit } from './settings.js';

/** A project that was created by the admin API. */
export interface StoredProject {
  uid: string;
  name: string;
  enabled: boolean;
  retention_days?: number;
  /** What `q` searches; `recent` by default. */
  search?: Search;
  limits?: TrafficLimit[];
  cors?: CorsSettings;
}

/** A key that was created by the admin API, for a project of the API or of the file. */
export interface StoredKey {
  id: string;
  project_uid: string;
  name: string;
  /** The SHA-256 of the key's text, in hexadecimal. */
  hash: string;
  prefix: string;
  scopes: Scope[];
  /** The endpoints that the key may call; absent means every endpoint. */
  endpoints?: string[];
  /** The time from which on the key opens nothing, in ISO 8601. */
  expires_at?: string;
}

/** An endpoint that was created by the admin API, for a project of the API or of the file. */
export interface StoredEndpoint {
  project_uid: string;
  endpoint: Endpoint;
}

/** A project that was in the file once. It stays known after it is removed from the file. */
export interface RememberedProject {
  uid: string;
  name: string;
}

/** Everything that the admin API has created, at one moment. It is plain JSON, so that it can be stored on disk. */
export interface DirectorySnapshot {
  projects: StoredProject[];
  keys: StoredKey[];
  endpoints: StoredEndpoint[];
  remembered: RememberedProject[];
}

/** The source from which the directory learns what the admin API has created. */
export interface DirectorySource {
  /** Rejects with `storage_unavailable` when MongoDB, or the admin service in its place, is unreachable. */
  load(): Promise<DirectorySnapshot>;
  /** The time in epoch milliseconds since which the result of `load` may be outdated, because its source lost MongoDB. */
  staleSince?(): number | undefined;
  /** Rejects with `storage_unavailable` when MongoDB is unreachable. */
  remember(projects: readonly RememberedProject[]): Promise<void>;
  /**
   * Calls `changed` soon after every change until `signal` is aborted; the caller then loads again. It is also called
   * when the connection is lost, and once when it returns, because changes may have been missed.
   */
  watch(changed: () => void, signal: AbortSignal): void;
}
