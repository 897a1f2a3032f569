import type { JsonObject, JsonValue } from '../core/json.js';
import { isJsonObject } from '../core/json.js';

/** The members that hold the turns of a conversation, in each API. */
const TURNS = ['messages', 'input', 'contents'];
/** How much of its first text identifies a conversation, in UTF-16 units. */
const MOST_TEXT = 1_024;

/**
 * The beginning of the first text that a person says in a conversation, which is the same in each of its turns. Marks
 * around it, such as for caches, change from turn to turn, and instructions may contain the time, so neither is used.
 */
export function conversationStart(request: JsonObject): string | undefined {
  const turns = TURNS.map((name) => request[name]).find((value) => value !== undefined);
  if (typeof turns === 'string') return turns.slice(0, MOST_TEXT);
  if (!Array.isArray(turns)) return undefined;
  const first = turns.find((turn) => isJsonObject(turn) && (turn.role ?? 'user') === 'user');
  if (!isJsonObject(first)) return undefined;
  let text: string | undefined;
  for (const piece of textsOf(first.content ?? first.parts ?? null)) {
    text =
      text === undefined ? piece.slice(0, MOST_TEXT) : `${text}\n${piece.slice(0, MOST_TEXT - text.length)}`;
    if (text.length >= MOST_TEXT) break;
  }
  return text;
}

function* textsOf(content: JsonValue): Generator<string> {
  if (typeof content === 'string') yield content;
  if (!Array.isArray(content)) return;
  for (const part of content) {
    if (typeof part === 'string') yield part;
    else if (isJsonObject(part) && typeof part.text === 'string') yield part.text;
  }
}
