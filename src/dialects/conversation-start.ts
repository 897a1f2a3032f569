import type { JsonObject, JsonValue } from '../core/json.js';
import { isJsonObject } from '../core/json.js';

/** Where the APIs have the turns of a conversation. */
const TURNS = ['messages', 'input', 'contents'];
/** A conversation is known by so much of what it begins with. */
const MOST_TEXT = 2_048;

/**
 * The texts that a conversation begins with, up to the first that a person says: the same in each of its turns. Marks
 * around them, such as for caches, change from turn to turn, and instructions may hold the time, so neither counts.
 */
export function conversationStart(request: JsonObject): string | undefined {
  const turns = TURNS.map((name) => request[name]).find((value) => value !== undefined);
  if (typeof turns === 'string') return turns.slice(0, MOST_TEXT);
  if (!Array.isArray(turns)) return undefined;
  const first = turns.find((turn) => isJsonObject(turn) && (turn.role ?? 'user') === 'user');
  if (!isJsonObject(first)) return undefined;
  const texts: string[] = [];
  collect(first.content ?? first.parts ?? null, texts);
  return texts.length === 0 ? undefined : texts.join('\n').slice(0, MOST_TEXT);
}

function collect(content: JsonValue, texts: string[]): void {
  if (typeof content === 'string') texts.push(content);
  if (!Array.isArray(content)) return;
  for (const part of content) {
    if (typeof part === 'string') texts.push(part);
    else if (isJsonObject(part) && typeof part.text === 'string') texts.push(part.text);
  }
}
