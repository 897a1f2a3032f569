import type { JsonDocument } from '../../core/json.js';
import { editMembers } from '../../core/json.js';
import type { LargeBodies } from '../../core/log-record.js';
import { heavyWork, isHeavy } from '../../core/pacing/heavy-work.js';
import type { RecordContent } from './kept-content.js';

const WITHOUT_METADATA = new Map([['metadata', undefined]]);

/** The texts of the log's large bodies, so that they need not be written again; undefined where no body is large. */
export async function largeBodies(content: RecordContent): Promise<LargeBodies | undefined> {
  const { request, responseText: response } = content;
  const large: LargeBodies = {};
  if (response !== undefined && isHeavy(response.length)) large.response = response;
  if (request !== null && isHeavy(request.text.length)) {
    await heavyWork.next();
    large.request = textWithoutMetadata(request);
  }
  return Object.keys(large).length === 0 ? undefined : large;
}

function textWithoutMetadata({ text, value }: JsonDocument): string {
  return Object.hasOwn(value, 'metadata') ? editMembers(text, WITHOUT_METADATA) : text;
}
