import { isJsonObject, type JsonValue } from '../../core/json.js';
import type { LogRecord } from '../../core/log-record.js';
import type { PlacedText } from '../helpers/texts.js';

/*
 * Texts of a stored exchange. The record holds bodies of any dialect, so this goes by the names under which all
 * of them keep what people and models wrote.
 */
const CONTENT = new Set([
  'arguments',
  'content',
  'input',
  'instructions',
  'output',
  'reasoning',
  'reasoning_content',
  'refusal',
  'summary',
  'system',
  'text',
  'thinking',
]);

/** Members that say how or what something is, also inside of content. */
const STRUCTURE = new Set([
  'call_id',
  'data',
  'detail',
  'encrypted_content',
  'file_data',
  'file_id',
  'finish_reason',
  'format',
  'id',
  'image_url',
  'input_audio',
  'item_id',
  'media_type',
  'mime_type',
  'model',
  'object',
  'role',
  'signature',
  'status',
  'tool_call_id',
  'tool_use_id',
  'type',
]);

/** Places are JSON pointers into the record, such as `/request/messages/0/content`. */
export function recordTexts(record: Readonly<Pick<LogRecord, 'request' | 'response'>>): PlacedText[] {
  const found: PlacedText[] = [];
  visit(record.request, '/request', false, found);
  visit(record.response, '/response', false, found);
  return found;
}

function visit(value: JsonValue, place: string, isContent: boolean, found: PlacedText[]): void {
  if (typeof value === 'string') {
    if (isContent) found.push({ place, text: value });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, `${place}/${index}`, isContent, found);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const inside = CONTENT.has(key) || (isContent && !STRUCTURE.has(key));
      visit(member, `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, inside, found);
    }
  }
}
