import { hash } from 'node:crypto';
import { Binary, MongoBulkWriteError } from 'mongodb';
import type { Clock } from '../../../core/clock.js';
import type { Steps } from '../../../core/pacing/steps.js';
import type { Collections } from '../../mongodb/collections.js';
import type { FragmentDocument, PackedRequest } from '../../mongodb/fragment-documents.js';
import { storageUnavailable } from '../../mongodb/storage-errors.js';
import type { Fragment } from './find-fragments.js';
import type { KnownFragments } from './known-fragments.js';

/*
 * What logs of a project repeat is stored once, as a fragment whose id is a hash. A log refers to its fragments, which are
 * written before it. Uses of fragments are not counted: each fragment has the time of its last use, and is deleted when all
 * logs that may refer to it have been deleted (`expire-fragments.ts`).
 */

/** How old the stored time of the last use may be. Until then, another use writes nothing. */
export const USED_WITHIN_MS = 86_400_000;
/** Where more than this waits to be written, it is written before the batch goes on. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
const ID_BYTES = 20;
const DUPLICATE_KEY = 11_000;
/** How often writing is tried. It fails only where a fragment expires at the same moment. */
const TRIES = 5;
/**
 * Up to this many fragments are inserted in the transaction of their logs. A write that a majority acknowledges costs MongoDB
 * as much CPU as ten logs, so this saves one write for small batches. For many fragments a shared transaction gains nothing.
 */
const MOST_WITH_LOGS = 16;

interface Waiting {
  project_uid: string;
  text: string;
}

/** The fragments of the logs of one batch. */
export class FragmentBatch {
  #waiting = new Map<string, Waiting>();
  #waitingBytes = 0;

  constructor(
    private readonly known: KnownFragments,
    private readonly clock: Clock,
  ) {}

  /**
   * The request with references in place of its fragments. Undefined where it has none worth storing. A piece that may be
   * repeated is stored when it is seen the second time, so that one that is never repeated costs no more than its log.
   */
  *pack(
    projectUid: string,
    json: Buffer,
    { start, end, fragments }: { start: number; end: number; fragments: readonly Fragment[] },
  ): Steps<PackedRequest | undefined> {
    const pieces: PackedRequest['pieces'] = [];
    let at = start;
    for (const fragment of fragments) {
      const id = fragmentId(projectUid, json, fragment);
      if (fragment.isRepeated || this.known.see(id)) {
        if (fragment.start > at) pieces.push(json.toString('utf8', at, fragment.start));
        pieces.push(new Binary(Buffer.from(id, 'latin1')));
        at = fragment.end;
        this.#use(id, projectUid, json, fragment);
      }
      yield;
    }
    if (pieces.length === 0) return undefined;
    pieces.push(json.toString('utf8', at, end));
    return { bytes: end - start, pieces };
  }

  /** Whether `write` should be called before the next log. */
  get isFull(): boolean {
    return this.#waitingBytes > MOST_WAITING_BYTES;
  }

  /** Writes the fragments that MongoDB does not have. Must be called before the logs that refer to them are written. */
  async write({ fragments }: Collections): Promise<void> {
    if (this.#waiting.size === 0) return;
    for (let tries = 1; ; tries++) {
      const { now, missing, old } = await this.#lookUp(fragments);
      await insertMissing(fragments, missing);
      if (await renew(fragments, old, now)) break;
      if (tries === TRIES)
        throw new Error('fragments of logs were deleted again and again while they were used');
    }
    this.landed();
  }

  /**
   * Does the same, except that a few missing fragments are returned. The caller inserts them in one transaction with the
   * logs, and then calls `landed`, or `write` where the transaction failed.
   */
  async writeUnlessFew(collections: Collections): Promise<readonly FragmentDocument[]> {
    if (this.#waiting.size === 0) return [];
    const { missing, old } = await this.#lookUp(collections.fragments);
    if (old.length === 0 && missing.length <= MOST_WITH_LOGS) return missing;
    await this.write(collections);
    return [];
  }

  /** Records that everything that waited is in MongoDB now. */
  landed(): void {
    this.known.stored(this.#waiting.keys());
    this.#waiting = new Map();
    this.#waitingBytes = 0;
  }

  /** Finds out which waiting fragments are missing in MongoDB, and which are there but must be renewed. */
  async #lookUp(
    fragments: Collections['fragments'],
  ): Promise<{ now: number; missing: FragmentDocument[]; old: Binary[] }> {
    const now = this.clock.now();
    const found = await fragments
      .find({ _id: { $in: [...this.#waiting.keys()].map(binaryOf) } }, { projection: { used_at: 1 } })
      .map(({ _id, used_at }) => ({ id: idOf(_id), used_at }))
      .toArray();
    const there = new Set(found.map(({ id }) => id));
    const missing = [...this.#waiting].filter(([id]) => !there.has(id));
    const old = found.filter(({ used_at }) => now - used_at.getTime() > USED_WITHIN_MS);
    return {
      now,
      missing: missing.map(([id, one]) => documentOf(id, one, now)),
      old: old.map(({ id }) => binaryOf(id)),
    };
  }

  #use(id: string, project_uid: string, json: Buffer, { start, end }: Fragment): void {
    if (this.#waiting.has(id) || this.known.isStored(id)) return;
    this.#waiting.set(id, { project_uid, text: json.toString('utf8', start, end) });
    this.#waitingBytes += end - start;
  }
}

/** A buffer in which a project's id and the text of a fragment are joined, to be hashed in one call. */
let scratch = Buffer.allocUnsafeSlow(0);

/**
 * The id of a fragment. It is equal for equal texts of one project, and different for other projects. Each character is one
 * byte.
 */
function fragmentId(projectUid: string, json: Buffer, { start, end }: Fragment): string {
  const most = 4 * projectUid.length + 1 + end - start;
  if (scratch.length < most) scratch = Buffer.allocUnsafeSlow(most);
  let at = scratch.write(projectUid);
  scratch[at++] = 0;
  at += json.copy(scratch, at, start, end);
  return hash('sha256', scratch.subarray(0, at), 'binary').slice(0, ID_BYTES);
}

function binaryOf(id: string): Binary {
  return new Binary(Buffer.from(id, 'latin1'));
}

/** The opposite of `binaryOf`. */
export function idOf(id: Binary): string {
  return Buffer.from(id.buffer.buffer, id.buffer.byteOffset, id.position).toString('latin1');
}

function documentOf(id: string, { project_uid, text }: Waiting, now: number): FragmentDocument {
  return { _id: binaryOf(id), project_uid, used_at: new Date(now), text };
}

/** Another process may write the same ones at the same time. */
async function insertMissing(
  fragments: Collections['fragments'],
  documents: readonly FragmentDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await fragments.insertMany(documents, { ordered: false });
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const unmet = error.result.getWriteConcernError();
    if (unmet !== undefined) throw storageUnavailable(unmet);
    const failures = [error.writeErrors].flat();
    if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  }
}

/** Sets the time of the last use. False where one of the fragments no longer exists. */
async function renew(fragments: Collections['fragments'], ids: Binary[], now: number): Promise<boolean> {
  if (ids.length === 0) return true;
  const updated = await fragments.updateMany({ _id: { $in: ids } }, { $max: { used_at: new Date(now) } });
  return updated.matchedCount === ids.length;
}
