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
 * Error codes of a server that cannot work now, as opposed to refusing the data: shutting down, no longer primary, a
 * network fault inside the set, interrupted, timed out, out of disk space, write concern not met.
 */
const AWAY_CODES = new Set([
  6, 7, 50, 64, 89, 91, 100, 133, 134, 189, 202, 262, 286, 365, 9001, 10107, 11600, 11601, 11602, 13388,
  13435, 13436, 14031, 292, 96, 24, 112, 251, 225, 246,
]);

/** Node's codes for a connection that cannot be made, is broken, or was closed by the other side. */
const SOCKET_CODES = new Set<unknown>([
  ...['ECONNABORTED', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE', 'ETIMEDOUT'],
  ...['ERR_SOCKET_CLOSED', 'ERR_STREAM_DESTROYED'],
]);

const BAD_VALUE = 2;
const DUPLICATE_KEY = 11_000;

/** Whether an error is due to MongoDB's state and not to the data, so that the same call may succeed later. */
export function isStorageAway(error: unknown): boolean {
  if (error instanceof SluiceError) return error.code === 'storage_unavailable';
  if (error instanceof MongoNetworkError || error instanceof MongoSystemError) return true;
  if (error instanceof MongoClientClosedError || error instanceof MongoTopologyClosedError) return true;
  if (isSocketError(error)) return true;
  // A bulk write wraps the driver's own errors.
  if (error instanceof MongoBulkWriteError && isError(error.errorResponse))
    return isStorageAway(error.errorResponse);
  if (!(error instanceof MongoError)) return false;
  if (error.hasErrorLabel('RetryableWriteError') || error.hasErrorLabel('TransientTransactionError'))
    return true;
  if (error.hasErrorLabel('UnknownTransactionCommitResult')) return true;
  return error instanceof MongoServerError && (isAwayCode(error.code) || isIndexMissing(error));
}

/**
 * Whether it is an error of Node's own about a socket. The driver passes such an error on as it is where a connection breaks
 * while a command is being written.
 */
function isSocketError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && SOCKET_CODES.has(error.code);
}

/**
 * Whether an index is missing. While the indexes of a large collection are being built after the first start, MongoDB counts
 * as unreachable.
 */
function isIndexMissing({ code, message }: MongoServerError): boolean {
  return code === BAD_VALUE && message.includes('hint provided does not correspond to an existing index');
}

function isError(value: unknown): value is Error {
  return value instanceof Error;
}

/** Whether the error says that a document with this key exists already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

export function isAwayCode(code: unknown): boolean {
  return typeof code === 'number' && AWAY_CODES.has(code);
}

/** Runs work on MongoDB. Rejects with `storage_unavailable` where MongoDB is unreachable. */
export type Guarded = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * The driver reconnects by itself once it was connected, but not after a failed first attempt. So the first
 * connection is opened here, by any call, until one succeeds.
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

/**
 * The error without documents. A bulk write's own error lists all of its documents, which is too long to log and has content
 * of clients.
 */
function withoutDocuments(error: unknown): unknown {
  if (!(error instanceof MongoBulkWriteError)) return error;
  if (isError(error.errorResponse)) return error.errorResponse;
  return new MongoServerError({ message: error.message, code: error.code });
}
