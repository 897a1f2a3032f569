import type { ApiKey, Directory, KnownKey, Project } from '../core/directory.js';
import type { DirectorySnapshot, DirectorySource, RememberedProject } from '../core/directory-source.js';
import type { Logger } from '../core/logger.js';
import type { Scope } from '../core/settings.js';
import type { DirectoryFile } from './directory-file.js';
import { equalHashes, hashKey } from './keys.js';
import { type DirectoryView, EMPTY_VIEW, mergeDirectory } from './merge.js';
import type { SnapshotFile } from './snapshot.js';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

export interface DirectoryOptions {
  file: DirectoryFile;
  source: DirectorySource;
  /** The copy on disk, for a start without the store. */
  snapshot?: SnapshotFile;
  /** Called with the store's content each time that it was read. */
  onStored?: (stored: DirectorySnapshot) => void;
  /** Called with the time, in epoch milliseconds, since when the store could not be read. */
  onStale?: (since: number) => void;
  /** Logs conflicts between the file and the store, and outages of the store. */
  logger: Pick<Logger, 'warn'>;
}

export interface DirectoryState {
  /** The source of the API's part of the directory. Until it was read, only the file's projects are known. */
  origin: 'nowhere' | 'snapshot' | 'store';
  /**
   * The time in epoch milliseconds since which it may be outdated, because the store cannot be read. Absent while the
   * store is followed.
   */
  staleSince?: number;
}

export interface LiveDirectory extends Directory {
  projects(): Project[];
  keys(projectUid: string): ApiKey[];
  /** The key with this text, in any project. */
  findKey(keyText: string): KnownKey | undefined;
  /** The key whose text has this hash. */
  findKeyByHash(hash: string): KnownKey | undefined;
  state(): DirectoryState;
  /** Replaces the file's part. Requests see either the old view or the new one. */
  replaceFile(file: DirectoryFile): void;
  /** Reads the store and follows it. Resolves once the store or the last copy was read, or both failed. */
  start(): Promise<void>;
  /**
   * Reads the store again. Resolves when everything stored before the call is in the view; rejects where it cannot be
   * read.
   */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

const NOTHING: DirectorySnapshot = { projects: [], keys: [], endpoints: [], remembered: [] };

export function createDirectory(options: DirectoryOptions): LiveDirectory {
  return new MergedDirectory(options);
}

class MergedDirectory implements LiveDirectory {
  readonly #source: DirectorySource;
  readonly #snapshot?: SnapshotFile;
  readonly #onStored?: DirectoryOptions['onStored'];
  readonly #onStale?: DirectoryOptions['onStale'];
  readonly #logger: DirectoryOptions['logger'];
  #file: DirectoryFile;
  #api = NOTHING;
  #view: DirectoryView = EMPTY_VIEW;
  #reportedClashes = new Set<string>();
  #origin: DirectoryState['origin'] = 'nowhere';
  #staleSince?: number;
  #running?: Promise<void>;
  #next?: Promise<void>;
  #retryTimer?: NodeJS.Timeout;
  #retryMs = FIRST_RETRY_MS;
  readonly #stopping = new AbortController();

  constructor({ file, source, snapshot, onStored, onStale, logger }: DirectoryOptions) {
    this.#file = file;
    this.#source = source;
    this.#snapshot = snapshot;
    this.#onStored = onStored;
    this.#onStale = onStale;
    this.#logger = logger;
    this.#merge();
  }

  project(uid: string): Project | undefined {
    return this.#view.projects.get(uid.toLowerCase())?.project;
  }

  provider(name: string) {
    return this.#view.providers.get(name);
  }

  authenticate(projectUid: string, keyText: string): ApiKey | undefined {
    const entry = this.#view.projects.get(projectUid.toLowerCase());
    const hash = hashKey(keyText);
    const key = entry?.keysByHash.get(hash);
    if (!entry?.project.enabled || key === undefined || isExpired(key)) return undefined;
    return equalHashes(key.hash, hash) ? key : undefined;
  }

  authenticateAdmin(keyText: string): string | undefined {
    return this.#adminName(hashKey(keyText));
  }

  findKey(keyText: string): KnownKey | undefined {
    return this.findKeyByHash(hashKey(keyText));
  }

  findKeyByHash(hash: string): KnownKey | undefined {
    const admin = this.#adminName(hash);
    if (admin !== undefined) return { hash, name: admin, isAdmin: true, scopes: new Map() };
    const scopes = new Map<string, readonly Scope[]>();
    let name: string | undefined;
    for (const [uid, { project, keysByHash }] of this.#view.projects) {
      const key = project.enabled ? keysByHash.get(hash) : undefined;
      if (key === undefined || isExpired(key) || !equalHashes(key.hash, hash)) continue;
      name ??= key.name;
      scopes.set(uid, key.scopes);
    }
    return name === undefined ? undefined : { hash, name, isAdmin: false, scopes };
  }

  #adminName(hash: string): string | undefined {
    let found: string | undefined;
    for (const [known, name] of this.#view.adminNamesByHash) {
      if (equalHashes(known, hash)) found = name;
    }
    return found;
  }

  projects(): Project[] {
    return [...this.#view.projects.values()].map(({ project }) => project);
  }

  keys(projectUid: string): ApiKey[] {
    return [...(this.#view.projects.get(projectUid.toLowerCase())?.keysByHash.values() ?? [])];
  }

  state(): DirectoryState {
    return {
      origin: this.#origin,
      ...(this.#staleSince === undefined ? {} : { staleSince: this.#staleSince }),
    };
  }

  replaceFile(file: DirectoryFile): void {
    this.#file = file;
    this.#merge();
    this.#refreshLater();
  }

  async start(): Promise<void> {
    this.#source.watch(() => this.#refreshLater(), this.#stopping.signal);
    try {
      await this.refresh();
    } catch {
      // The refresh has logged the failure and retries by itself.
      await this.#readSnapshot();
    }
  }

  refresh(): Promise<void> {
    if (!this.#running) {
      this.#running = this.#load().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    // A read in progress may have begun before the change that the caller wants to see, so another one follows it.
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.refresh();
      });
    return this.#next;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#retryTimer);
    await Promise.allSettled([this.#running, this.#next]);
  }

  #refreshLater(): void {
    if (this.#stopping.signal.aborted) return;
    // The failure was logged and is retried; nobody waits for this read.
    this.refresh().catch(() => undefined);
  }

  async #load(): Promise<void> {
    try {
      this.#api = await this.#source.load();
    } catch (error) {
      this.#goStale(Date.now(), error);
      this.#scheduleRetry();
      throw error;
    }
    clearTimeout(this.#retryTimer);
    this.#retryMs = FIRST_RETRY_MS;
    const staleSince = this.#source.staleSince?.();
    if (staleSince === undefined) this.#staleSince = undefined;
    else this.#goStale(staleSince, new Error('the admin service lost its connection to MongoDB'));
    this.#origin = 'store';
    this.#merge();
    this.#onStored?.(this.#api);
    await this.#remember();
    await this.#writeSnapshot();
  }

  #goStale(since: number, err: unknown): void {
    if (this.#staleSince === undefined) {
      this.#logger.warn({ err }, 'projects cannot be read from the store; the last known ones stay in use');
    }
    this.#staleSince ??= since;
    this.#onStale?.(this.#staleSince);
  }

  /** Stores the projects of the file, so that a project that is removed from the file stays known after a restart. */
  async #remember(): Promise<void> {
    const known = new Map(this.#api.remembered.map((project) => [project.uid, project]));
    const fresh = this.#file.projects
      .map(({ uid, name }): RememberedProject => ({ uid, name }))
      .filter(({ uid, name }) => known.get(uid)?.name !== name);
    if (fresh.length === 0) return;
    try {
      await this.#source.remember(fresh);
      for (const project of fresh) known.set(project.uid, project);
      this.#api = { ...this.#api, remembered: [...known.values()] };
    } catch (error) {
      this.#logger.warn({ err: error }, 'the list of projects in the file cannot be stored yet');
    }
  }

  #scheduleRetry(): void {
    clearTimeout(this.#retryTimer);
    if (this.#stopping.signal.aborted) return;
    this.#retryTimer = setTimeout(() => this.#refreshLater(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }

  async #readSnapshot(): Promise<void> {
    try {
      const api = await this.#snapshot?.read();
      if (api === undefined || this.#origin === 'store') return;
      this.#api = api;
      this.#origin = 'snapshot';
      this.#merge();
    } catch (error) {
      this.#logger.warn({ err: error }, 'the local copy of projects cannot be read');
    }
  }

  async #writeSnapshot(): Promise<void> {
    try {
      await this.#snapshot?.write(this.#api);
    } catch (error) {
      this.#logger.warn({ err: error }, 'the local copy of projects cannot be written');
    }
  }

  #merge(): void {
    const { view, clashes } = mergeDirectory(this.#file, this.#api, this.#view);
    this.#view = view;
    for (const clash of clashes) if (!this.#reportedClashes.has(clash)) this.#logger.warn({}, clash);
    this.#reportedClashes = new Set(clashes);
  }
}

function isExpired({ expires_at }: ApiKey): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= Date.now();
}
