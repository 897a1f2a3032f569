import { createHash } from 'node:crypto';
import { SCHEMA_VERSION } from '../../config/stored/stored.js';
import type { DirectorySnapshot } from '../../core/directory-source.js';
import type { JsonObject } from '../../core/json.js';
import { KIND_NAMES, KINDS, type Kind, type OfEachKind, ofEachKind } from './items.js';

/** What an engine receives: how to get from its version to the next one. It is one line of JSON. */
export interface FeedLine {
  /** The version after this line. It is equal where the content is equal. */
  version: string;
  /** The version of the stored form, as in the snapshot on disk. */
  schema_version: number;
  /** For how many seconds the sender has been unable to read MongoDB; absent while it follows it. */
  stale_s?: number;
  /** The engine must forget everything that it knew before. */
  whole?: true;
  /** New or changed items, by kind. */
  put?: Partial<OfEachKind<unknown[]>>;
  /** Removed items, by the keys in `KINDS`. */
  gone?: Partial<OfEachKind<string[]>>;
}

/** A directory in a comparable form: the JSON of each item, by kind and key. */
export interface Edition {
  version: string;
  texts: OfEachKind<ReadonlyMap<string, string>>;
}

export function editionOf(snapshot: DirectorySnapshot): Edition {
  // A directory is JSON, and is read and written as such.
  const texts = ofEachKind((kind) => textsOf(kind, snapshot[kind] as unknown as JsonObject[]));
  return { version: versionOf(texts), texts };
}

/** A line with the whole directory. */
export function wholeLine({ version, texts }: Edition): string {
  const put = membersOf((kind) => [...texts[kind].values()]);
  return `{${head(version)},"whole":true,"put":{${put}}}\n`;
}

/** The line with the changes from one edition to the next. */
export function changeLine(before: Edition, after: Edition): string {
  const put = membersOf((kind) =>
    [...after.texts[kind]]
      .filter(([id, text]) => before.texts[kind].get(id) !== text)
      .map(([, text]) => text),
  );
  const gone = membersOf((kind) =>
    [...before.texts[kind].keys()].filter((id) => !after.texts[kind].has(id)).map((id) => JSON.stringify(id)),
  );
  return `{${head(after.version)},"put":{${put}},"gone":{${gone}}}\n`;
}

/** The line for an engine that already has this edition. `staleSeconds` says for how long it may be outdated. */
export function sameLine({ version }: Edition, staleSeconds?: number): string {
  return `{${head(version)}${staleSeconds === undefined ? '' : `,"stale_s":${staleSeconds}`}}\n`;
}

function head(version: string): string {
  return `"version":${JSON.stringify(version)},"schema_version":${SCHEMA_VERSION}`;
}

function textsOf(kind: Kind, items: readonly JsonObject[]): ReadonlyMap<string, string> {
  return new Map(
    items.flatMap((item): [string, string][] => {
      const id = KINDS[kind](item);
      return id === undefined ? [] : [[id, JSON.stringify(item)]];
    }),
  );
}

/**
 * The version of a content. It does not depend on the order in which MongoDB returned the items, so that two admin
 * services agree.
 */
function versionOf(texts: Edition['texts']): string {
  const hash = createHash('sha256').update(String(SCHEMA_VERSION));
  for (const kind of KIND_NAMES) {
    hash.update(`\n${kind}`);
    for (const id of [...texts[kind].keys()].sort()) hash.update(`\n${texts[kind].get(id)}`);
  }
  return hash.digest('base64url');
}

/** The items of all kinds as JSON text; kinds without items are left out. */
function membersOf(textsIn: (kind: Kind) => string[]): string {
  return KIND_NAMES.flatMap((kind) => {
    const texts = textsIn(kind);
    return texts.length === 0 ? [] : [`${JSON.stringify(kind)}:[${texts.join(',')}]`];
  }).join(',');
}
