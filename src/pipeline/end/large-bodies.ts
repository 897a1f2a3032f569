import type { JsonDocument } from '../../core/json.js';
import { editedMembers, editMembers, lengthOf } from '../../core/json.js';
import type { LargeBodies } from '../../core/log-record.js';
import { heavyWork, isHeavy } from '../../core/pacing/heavy-work.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import { isAsStringified } from '../../core/written-json/as-stringified.js';
import { BytesDocument, LEAST_COPIED } from '../../core/written-json/bytes-document.js';
import type { RecordContent } from './kept-content.js';

const WITHOUT_METADATA = new Map([['metadata', undefined]]);

/** The texts of the log's large bodies, so that they need not be written again; undefined where no body is large. */
export function largeBodies({
  request,
  responseText: response,
}: RecordContent): MaybePromise<LargeBodies | undefined> {
  const large = response !== undefined && isHeavy(response.length) ? { response } : undefined;
  if (request === null || !isHeavy(lengthOf(request))) return large;
  return heavyWork.next().then(() => ({ request: textWithoutMetadata(request), ...large }));
}

function textWithoutMetadata({ text, value, outline }: JsonDocument): string {
  return Object.hasOwn(value, 'metadata') ? editMembers(text, WITHOUT_METADATA, outline) : text;
}

/**
 * The JSON text of a request for its log, so that it is copied and not written again. Undefined where the client
 * wrote it differently than the log does, where it is short, and where it is among the large bodies.
 */
export function writtenRequest({ request }: RecordContent): (string | Buffer)[] | undefined {
  if (request === null || lengthOf(request) < LEAST_COPIED || isHeavy(lengthOf(request))) return undefined;
  if (request instanceof BytesDocument) return request.writtenWithout('metadata');
  const { text, outline } = request;
  return isAsStringified(request) ? editedMembers(text, WITHOUT_METADATA, outline) : undefined;
}
