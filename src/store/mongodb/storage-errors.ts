import {
  MongoBulkWriteError,
  type MongoClient,
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoSystemError,
  MongoTopologyClosedError,
} from 'mongodb';
import { SluiceError } from '../../core/errors.js';

/*
 * Codes by which a server says that it cannot work now, not that it dislikes what was sent: shutting down, no
 * longer primary, a network fault inside the set, interrupted, out of time, out of disk, a write concern not met.
 */
const AWAY_CODES = new Set([
  6, 7, 50, 64, 89, 91, 100, 133, 134, 189, 202, 262, 286, 365, 9001, 10107, 11600, 11601, 11602, 13388,
  13435, 13436, 14031, 292, 96, 24, 112, 251, 225, 246,
]);

const BAD_VALUE = 2;
const DUPLICATE_KEY = 11_000;

/** Whether a fault is MongoDB's state and not the data's: the same call may pass later. */
export function isStorageAway(error: unknown): boolean {
  if (error instanceof SluiceError) return error.code === 'storage_unavailable';
  if (error instanceof MongoNetworkError || error instanceof MongoSystemError) return true;
  if (error instanceof MongoClientClosedError || error instanceof MongoTopologyClosedError) return true;
  // A bulk write wraps the driver's own errors.
  if (error instanceof MongoBulkWriteError && isError(error.errorResponse))
    return isStorageAway(error.errorResponse);
  if (!(error instanceof MongoError)) return false;
  if (error.hasErrorLabel('RetryableWriteError') || error.hasErrorLabel('TransientTransactionError'))
    return true;
  if (error.hasErrorLabel('UnknownTransactionCommitResult')) return true;
  return error instanceof MongoServerError && (isAwayCode(error.code) || isIndexMissing(error));
}

/** The indexes of a large collection are built for a while after the first start; until then it is as if away. */
function isIndexMissing({ code, message }: MongoServerError): boolean {
  return code === BAD_VALUE && message.includes('hint provided does not correspond to an existing index');
}

function isError(value: unknown): value is Error {
  return value instanceof Error;
}

/** Whether a document of this key is there already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

export function isAwayCode(code: unknown): boolean {
  return typeof code === 'number' && AWAY_CODES.has(code);
}

/** Runs a piece of work on MongoDB; where MongoDB is away it rejects with `storage_unavailable`. */
export type Guarded = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * The driver comes back by itself once it was connected, but not from a first attempt that failed: so the first
 * connection is made here, by whichever call comes, until one succeeds.
 */
export function createGuard(client: MongoClient): Guarded {
  let connecting: Promise<unknown> | undefined;
  const connect = () => {
    connecting ??= client.connect().catch((error) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  };
  return async (work) => {
    try {
      await connect();
      return await work();
    } catch (error) {
      if (error instanceof SluiceError) throw error;
      throw isStorageAway(error) ? storageUnavailable(error) : withoutDocuments(error);
    }
  };
}

/** The error for clients. */
export function storageUnavailable(error: unknown): SluiceError {
  const cause = withoutDocuments(error);
  return new SluiceError('storage_unavailable', 'The storage is not available at the moment.', { cause });
}

/** A bulk write's own error names all of its documents: too much to be told, and what clients said. */
function withoutDocuments(error: unknown): unknown {
  if (!(error instanceof MongoBulkWriteError)) return error;
  if (isError(error.errorResponse)) return error.errorResponse;
  return new MongoServerError({ message: error.message, code: error.code });
}
