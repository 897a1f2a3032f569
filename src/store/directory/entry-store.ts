import { randomUUID } from 'node:crypto';
import type { ClientSession, Collection, Filter, OptionalUnlessRequiredId, UpdateFilter } from 'mongodb';
import { SCHEMA_VERSION } from '../../config/stored/stored.js';
import type { Clock } from '../../core/clock.js';
import { SluiceError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import type { Collections } from '../mongodb/collections.js';
import { isDuplicate } from '../mongodb/storage-errors.js';
import { inTransaction } from '../mongodb/transaction.js';

/** The fields of every document that the admin API creates. */
export interface VersionedDocument {
  _id: string;
  /** The version of the document's form. Absent in documents from before there were versions. */
  schema_version?: number;
  /** The number of changes since the document was created. */
  revision: number;
  created_at: Date;
  updated_at: Date;
}

/** The version that a change expects. `any` means that the caller does not care. */
export type Expected = number | 'any';

/** Who makes a change, and what the audit records of it: no secrets. */
export interface Change<Document> {
  actor: string;
  describe(document: Document): JsonObject;
}

/**
 * Documents of one kind that the admin API creates. A change and its audit entry are one transaction. Rejects with
 * `already_exists`, `precondition_failed`, `not_found` or `storage_unavailable`.
 */
export interface EntryStore<Document extends VersionedDocument> {
  find(which: Filter<Document>): Promise<Document | undefined>;
  list(which: Filter<Document>): Promise<Document[]>;
  create(
    change: Change<Document>,
    content: Omit<Document, keyof VersionedDocument>,
    id?: string,
  ): Promise<Document>;
  update(
    change: Change<Document>,
    which: Filter<Document>,
    expected: Expected,
    content: Partial<Document>,
  ): Promise<Document>;
  /** Removes a document. `also` runs in the same transaction. */
  remove(
    change: Change<Document>,
    which: Filter<Document>,
    expected: Expected,
    also?: (session: ClientSession) => Promise<void>,
  ): Promise<void>;
}

export interface EntryKind<Document> {
  /** The name of the kind in the audit, such as `endpoint`. */
  name: string;
  /** The name by which people know the document. */
  target(document: Document): string;
  projectUid(document: Document): string;
}

export function createEntryStore<Document extends VersionedDocument>(
  collections: Collections,
  collection: Collection<Document>,
  kind: EntryKind<Document>,
  clock: Clock,
): EntryStore<Document> {
  const { client, audit, guarded } = collections;

  const write = async (
    { actor, describe }: Change<Document>,
    action: string,
    states: { before?: Document; after?: Document },
    session: ClientSession,
  ) => {
    const subject = (states.after ?? states.before) as Document;
    const text = (state: Document | undefined) =>
      state === undefined ? null : JSON.stringify(describe(state));
    await audit.insertOne(
      {
        _id: randomUUID(),
        at: new Date(clock.now()),
        actor,
        action: `${kind.name}.${action}`,
        project_uid: kind.projectUid(subject),
        target: kind.target(subject),
        before: text(states.before),
        after: text(states.after),
      },
      { session },
    );
  };

  const findExpected = async (which: Filter<Document>, expected: Expected, session: ClientSession) => {
    const document = (await collection.findOne(which, { session })) as Document | null;
    if (document === null) throw new SluiceError('not_found', `There is no such ${inWords(kind.name)}.`);
    if (expected !== 'any' && document.revision !== expected) {
      throw new SluiceError('precondition_failed', 'It was changed in the meantime. Read it again.', {
        param: 'If-Match',
      });
    }
    return document;
  };

  const transact = <Value>(work: (session: ClientSession) => Promise<Value>) =>
    guarded(() => inTransaction(client, work)).catch((error) => {
      if (!isDuplicate(error)) throw error;
      // Only the id of a project is chosen by its creator.
      throw alreadyExists(kind.name, error.keyPattern?._id === undefined ? 'name' : 'uid', error);
    });

  return {
    find: (which) => guarded(async () => ((await collection.findOne(which)) as Document | null) ?? undefined),

    list: (which) =>
      guarded(
        async () => (await collection.find(which).sort({ created_at: 1, _id: 1 }).toArray()) as Document[],
      ),

    create: (change, content, id = randomUUID()) =>
      transact(async (session) => {
        const now = new Date(clock.now());
        const after = {
          ...content,
          _id: id,
          schema_version: SCHEMA_VERSION,
          // The first version is the current time, so an entry that is created again under an old name has none of the
          // versions that people may still hold.
          revision: now.getTime(),
          created_at: now,
          updated_at: now,
          // With these members, the content is a complete document of its kind.
        } as unknown as Document;
        await collection.insertOne(after as OptionalUnlessRequiredId<Document>, { session });
        await write(change, 'create', { after }, session);
        return after;
      }),

    update: (change, which, expected, content) =>
      transact(async (session) => {
        const before = await findExpected(which, expected, session);
        const after = {
          ...before,
          ...content,
          schema_version: SCHEMA_VERSION,
          revision: before.revision + 1,
          updated_at: new Date(clock.now()),
        } as Document;
        // The driver's type of an update is too narrow for a document of any kind.
        const update = { $set: after } as unknown as UpdateFilter<Document>;
        await collection.updateOne(which, update, { session, ignoreUndefined: true });
        await write(change, 'update', { before, after }, session);
        return after;
      }),

    remove: (change, which, expected, also) =>
      transact(async (session) => {
        const before = await findExpected(which, expected, session);
        await collection.deleteOne(which, { session });
        await also?.(session);
        await write(change, 'delete', { before }, session);
      }),
  };
}

export function alreadyExists(kind: string, param: 'name' | 'uid' = 'name', cause?: unknown): SluiceError {
  return new SluiceError('already_exists', `This ${inWords(kind)} exists already: its ${param} is in use.`, {
    param,
    cause,
  });
}

/** `api_key` in words. */
function inWords(kind: string): string {
  return kind.replaceAll('_', ' ');
}
