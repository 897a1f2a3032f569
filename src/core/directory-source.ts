import type { Endpoint, Scope, Search, TrafficLimit } from './settings.js';

/** A project that the admin API made. */
export interface StoredProject {
  uid: string;
  name: string;
  enabled: boolean;
  retention_days?: number;
  /** `recent` where it is not given. */
  search?: Search;
  limits?: TrafficLimit[];
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
  /** Names of the endpoints that it may call; absent: every endpoint. */
  endpoints?: string[];
  /** From then on it opens nothing; ISO 8601. */
  expires_at?: string;
}

/** An endpoint that the admin API made, for a project of its own or of the file. */
export interface StoredEndpoint {
  project_uid: string;
  endpoint: Endpoint;
}

/** A project that stood in a file at some time: should it leave the file, it is still known. */
export interface RememberedProject {
  uid: string;
  name: string;
}

/** All that the admin API made, as it stood at one moment. Plain JSON, so it can be kept on disk. */
export interface DirectorySnapshot {
  projects: StoredProject[];
  keys: StoredKey[];
  endpoints: StoredEndpoint[];
  remembered: RememberedProject[];
}

/** Where the directory learns what the admin API made. */
export interface DirectorySource {
  /** Rejects with `storage_unavailable` when MongoDB, or who stands for it, is away. */
  load(): Promise<DirectorySnapshot>;
  /** Epoch milliseconds since when what `load` gives may be old: who tells of it has lost MongoDB. */
  staleSince?(): number | undefined;
  /** Rejects with `storage_unavailable` when MongoDB is away. */
  remember(projects: readonly RememberedProject[]): Promise<void>;
  /**
   * Calls `changed` after every change, soon after it, until `signal` is aborted; the listener then loads
   * anew. It is also called when the connection is lost, and once when it is back, since changes may have been missed.
   */
  watch(changed: () => void, signal: AbortSignal): void;
}
