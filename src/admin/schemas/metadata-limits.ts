import { type JsonObject, tooLargeNumber } from '../../core/json.js';
import { hasNulKey } from '../../store/mongodb/packing.js';
import { invalidRequest } from '../http/errors.js';

/**
 * The length of the longest tag that metadata can create. The cursor of a list of tags contains a tag and has to fit
 * into a URL.
 */
const MAX_TAG_BYTES = 65_536;

/** Throws `invalid_request` for a tag that is longer than any tag from metadata. */
export function checkTags(path: string, tags: readonly string[], maxMetadataBytes: number): void {
  const most = Math.max(MAX_TAG_BYTES, maxMetadataBytes);
  const details = tags.flatMap((tag, index) => {
    const bytes = Buffer.byteLength(tag);
    const message = `is ${bytes} bytes long; at most ${most} are allowed`;
    return bytes > most ? [{ path: `${path}.${index}`, message }] : [];
  });
  if (details.length > 0) throw invalidRequest(details);
}

/** Throws `invalid_request` for metadata over its limit, or with a key that cannot be stored. */
export function checkMetadata(path: string, metadata: JsonObject, maxBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > maxBytes) {
    throw invalidRequest([{ path, message: `is ${bytes} bytes long; at most ${maxBytes} are allowed` }]);
  }
  checkNumbers(path, metadata);
  if (hasNulKey(metadata)) throw invalidRequest([{ path, message: 'has a key with a NUL character' }]);
}

/** Throws `invalid_request` for a number that is too large for a double and would be stored as null. */
export function checkNumbers(path: string, metadata: JsonObject): void {
  const large = tooLargeNumber(metadata, path);
  if (large === undefined) return;
  throw invalidRequest([{ path: large, message: 'is a number that is too large to be kept' }]);
}
