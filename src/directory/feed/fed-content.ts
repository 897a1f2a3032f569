import { readStoredSnapshot, type StoredSnapshot } from '../../config/stored/stored.js';
import type { DirectorySnapshot } from '../../core/directory-source.js';
import { isJsonObject, type JsonObject } from '../../core/json.js';
import type { FeedLine } from './changes.js';
import { KIND_NAMES, KINDS, type Kind, type OfEachKind, ofEachKind } from './items.js';

/** What an engine learned from the feed. Items that it cannot read are left out and logged, as with MongoDB. */
export class FedContent {
  #version?: string;
  #staleSince?: number;
  #items = ofEachKind(() => new Map<string, unknown>());

  constructor(private readonly report: (mistake: string) => void) {}

  /** The version; undefined before the first line. */
  get version(): string | undefined {
    return this.#version;
  }

  /** The time in epoch milliseconds since which it may be outdated; undefined while the sender follows MongoDB. */
  get staleSince(): number | undefined {
    return this.#staleSince;
  }

  snapshot(): DirectorySnapshot {
    // Each list contains only items that were read as the list's kind.
    return ofEachKind((kind) => [...this.#items[kind].values()]) as unknown as DirectorySnapshot;
  }

  /**
   * Takes a line. Returns whether anything changed. Throws where it is not a line of a feed; the next connection then
   * starts over.
   */
  take(text: string): boolean {
    const known = this.#version;
    this.#version = undefined;
    const line = parseLine(text);
    const put = ofEachKind((kind) => line.put?.[kind] ?? []);
    const readable = readStoredSnapshot(storedOf(put, line.schema_version), this.report);
    if (line.whole) this.#items = ofEachKind(() => new Map());
    for (const kind of KIND_NAMES) {
      // An item that cannot be read in its new form must not stay in its old one.
      for (const item of put[kind]) this.#forget(kind, isJsonObject(item) ? KINDS[kind](item) : undefined);
      for (const id of line.gone?.[kind] ?? []) this.#forget(kind, id);
      for (const item of readable[kind]) {
        // Items are JSON, as they arrived.
        const id = KINDS[kind](item as unknown as JsonObject);
        if (id !== undefined) this.#items[kind].set(id, item);
      }
    }
    this.#version = line.version;
    const wasStale = this.#staleSince !== undefined;
    this.#staleSince = line.stale_s === undefined ? undefined : Date.now() - line.stale_s * 1000;
    return line.version !== known || wasStale !== (this.#staleSince !== undefined);
  }

  #forget(kind: Kind, id: string | undefined): void {
    if (id !== undefined) this.#items[kind].delete(id);
  }
}

function storedOf(put: OfEachKind<unknown[]>, schema_version: number): StoredSnapshot {
  const endpoints = put.endpoints.map((item) => ({
    ...(item as StoredSnapshot['endpoints'][number]),
    schema_version,
  }));
  return { ...put, endpoints };
}

function parseLine(text: string): FeedLine {
  const line: unknown = JSON.parse(text);
  const isList = (value: unknown) => value === undefined || Array.isArray(value);
  const hasLists = (value: unknown) =>
    value === undefined || (isJsonObject(value) && KIND_NAMES.every((kind) => isList(value[kind])));
  if (
    !isJsonObject(line) ||
    typeof line.version !== 'string' ||
    typeof line.schema_version !== 'number' ||
    (line.stale_s !== undefined && typeof line.stale_s !== 'number') ||
    !hasLists(line.put) ||
    !hasLists(line.gone)
  ) {
    throw new Error('the admin service did not send a directory');
  }
  // The items in the lists are checked by the schema of stored entries.
  return line as unknown as FeedLine;
}
