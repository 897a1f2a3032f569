import type { CorsSettings, Endpoint, Scope, Search, TrafficLimit } from './settings.js';

/** A project that the admin API made. */
export interface StoredProject {
  uid: string;
  name: string;
  enabled: boolean;
  retention_days?: number;
  /** The default is `recent`. */
  search?: Search;
  limits?: TrafficLimit[];
  cors?: CorsSettings;
}

/** A key that the admin API made, for a project of its own or of the file. */
export interface StoredKey {
  id: string;
  project_uid: string;
  name: string;
  /** Hex SHA-256 of the key's text. */
  hash: string;
  prefix: string;
  scopes: Scope[];
  /** The endpoints that the key may call; absent means every endpoint. */
  endpoints?: string[];
  /** From then on it opens nothing; ISO 8601. */
  expires_at?: string;
}

/** An endpoint that the admin API made, for a project of its own or of the file. */
export interface StoredEndpoint {
  project_uid: string;
  endpoint: Endpoint;
}

/** A project that was in a file once. It stays known where it is removed from the file. */
export interface RememberedProject {
  uid: string;
  name: string;
}

/** Everything that the admin API made, at one moment. Plain JSON, so that it can be stored on disk. */
export interface DirectorySnapshot {
  projects: StoredProject[];
  keys: StoredKey[];
  endpoints: StoredEndpoint[];
  remembered: RememberedProject[];
}

/** The source from which the directory learns what the admin API made. */
export interface DirectorySource {
  /** Rejects with `storage_unavailable` when MongoDB, or the admin service in its place, is unreachable. */
  load(): Promise<DirectorySnapshot>;
  /** Since when, in epoch milliseconds, the result of `load` may be outdated because its source lost MongoDB. */
  staleSince?(): number | undefined;
  /** Rejects with `storage_unavailable` when MongoDB is away. */
  remember(projects: readonly RememberedProject[]): Promise<void>;
  /**
   * Calls `changed` soon after every change until `signal` is aborted; the caller then loads again. It is also called
   * when the connection is lost, and once when it returns, because changes may have been missed.
   */
  watch(changed: () => void, signal: AbortSignal): void;
}
