import type { JsonDocument } from '../../core/json.js';
import { editedMembers, editMembers, lengthOf } from '../../core/json.js';
import type { LargeBodies } from '../../core/log-record.js';
import { heavyWork, isHeavy } from '../../core/pacing/heavy-work.js';
import { isAsStringified } from '../../core/written-json/as-stringified.js';
import { BytesDocument, LEAST_COPIED } from '../../core/written-json/bytes-document.js';
import type { RecordContent } from './kept-content.js';

const WITHOUT_METADATA = new Map([['metadata', undefined]]);

/** Whether a body is so large that its text must not be written again. */
export function hasLargeBodies({ request, responseText }: RecordContent): boolean {
  return (
    (request !== null && isHeavy(lengthOf(request))) ||
    (responseText !== undefined && isHeavy(responseText.length))
  );
}

/** The texts of the log's large bodies, so that they need not be written again. */
export async function largeBodies(content: RecordContent): Promise<LargeBodies> {
  const { request, responseText: response } = content;
  const large: LargeBodies = {};
  if (response !== undefined && isHeavy(response.length)) large.response = response;
  if (request !== null && isHeavy(lengthOf(request))) {
    await heavyWork.next();
    large.request = textWithoutMetadata(request);
  }
  return large;
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
