import {
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  memberText,
} from '../../core/json.js';
import type { ChatTraits, RequestView } from '../dialect.js';
import { fittingId } from '../translate/bounds.js';
import { NOTHING_SAID } from '../translate/prompts.js';
import type { NameBound } from '../wire/name-bound.js';
import { asArray, asString } from '../wire/values.js';

/* Changes a request for a server that refuses some members of this API, or gives them another name. */

/** A request that was written by us, with only the members that the server accepts. */
export function fitRequestMembers(body: JsonObject, traits: ChatTraits): JsonObject {
  const { renamed = {}, only, strictTurns } = traits;
  if (only === undefined && traits.renamed === undefined && !strictTurns) return body;
  const members = Object.entries(body).map(([name, value]) => [renamed[name] ?? name, value] as const);
  return Object.fromEntries(
    members
      .filter(([name]) => only === undefined || only.request.includes(name))
      .map(([name, value]) => [name, name === 'messages' ? fitMessages(value, traits) : value]),
  );
}

/** The changes to the text of a client's request for such a server. */
export function fitChanges(
  { text, value }: JsonDocument,
  view: RequestView,
  traits: ChatTraits,
): Map<string, string | undefined> {
  const changes = new Map<string, string | undefined>();
  const rename = (from: string, to: string) => {
    const old = memberText(text, from);
    if (old === undefined) return;
    changes.set(from, undefined);
    if (value[to] === undefined) changes.set(to, old);
  };
  if (traits.maxTokens === 'max_tokens') rename('max_completion_tokens', 'max_tokens');
  for (const [from, to] of Object.entries(traits.renamed ?? {})) rename(from, to);
  if (!traits.streamOptions && view.stream) changes.set('stream_options', undefined);
  if (traits.only !== undefined) {
    const known = new Set(traits.only.request);
    for (const name of Object.keys(value)) if (!known.has(name)) changes.set(name, undefined);
  }
  const messages = fitMessages(value.messages, traits);
  if (messages !== value.messages) changes.set('messages', JSON.stringify(messages));
  return changes;
}

/** Returns the same list where nothing has to change. */
function fitMessages(messages: JsonValue | undefined, traits: ChatTraits): JsonValue {
  const list = asArray(messages);
  const kept = traits.saidTurnsOnly ? list.filter((message) => !saysNothing(message)) : list;
  const fitted = kept.map((message) => (isJsonObject(message) ? fitMessage(message, traits) : message));
  const turns = traits.strictTurns ? inStrictTurns(fitted) : fitted;
  const isSame = turns.length === list.length && turns.every((message, index) => message === list[index]);
  return isSame ? (messages ?? list) : turns;
}

function saysNothing(message: JsonValue): boolean {
  if (!isJsonObject(message) || message.role !== 'assistant') return false;
  const { content, tool_calls, function_call } = message;
  const isSaid = typeof content === 'string' ? content !== '' : asArray(content).length > 0;
  return !isSaid && asArray(tool_calls).length === 0 && function_call === undefined;
}

/** The text of an assistant's turn between a tool's result and the user's turn, for servers that require one. */
const HEARD = 'Understood.';

function inStrictTurns(messages: JsonValue[]): JsonValue[] {
  const turns = messages.flatMap((message, index): JsonValue[] => {
    const isHeard = roleOf(message) === 'user' && roleOf(messages[index - 1]) === 'tool';
    return isHeard ? [{ role: 'assistant', content: HEARD }, message] : [message];
  });
  const last = turns.at(-1);
  if (roleOf(last) === 'system') return [...turns, { role: 'user', content: NOTHING_SAID }];
  if (!isJsonObject(last) || last.role !== 'assistant' || asArray(last.tool_calls).length > 0) return turns;
  return [...turns.slice(0, -1), last.prefix === true ? last : { ...last, prefix: true }];
}

function roleOf(message: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(message) ? message.role : undefined;
}

function fitMessage(message: JsonObject, traits: ChatTraits): JsonObject {
  const changes: JsonObject = {};
  if (!traits.developer && message.role === 'developer') changes.role = 'system';
  if (traits.reasoningNeeded && asArray(message.tool_calls).length > 0 && traits.reasoning !== undefined) {
    const known = message[traits.reasoning] ?? message.reasoning;
    if (typeof message[traits.reasoning] !== 'string') changes[traits.reasoning] = asString(known) ?? '';
  }
  if (traits.callId !== undefined) Object.assign(changes, fitIds(message, traits.callId));
  const { only } = traits;
  const isKnown = only === undefined || Object.keys(message).every((name) => only.message.includes(name));
  if (isKnown && Object.keys(changes).length === 0) return message;
  const fitted = { ...message, ...changes };
  if (only === undefined) return fitted;
  return Object.fromEntries(Object.entries(fitted).filter(([name]) => only.message.includes(name)));
}

/** Replaces ids that the server would refuse, in the same way for a call and its result. */
function fitIds(message: JsonObject, bound: NameBound): JsonObject {
  const fitted: JsonObject = {};
  const result = asString(message.tool_call_id);
  if (result !== undefined && fittingId(result, bound) !== result) {
    fitted.tool_call_id = fittingId(result, bound);
  }
  const calls = asArray(message.tool_calls).map((call) => {
    const id = isJsonObject(call) ? asString(call.id) : undefined;
    return id === undefined ? call : { ...(call as JsonObject), id: fittingId(id, bound) };
  });
  const isOther = (call: JsonValue, index: number) =>
    isJsonObject(call) && call.id !== (asArray(message.tool_calls)[index] as JsonObject).id;
  if (calls.some(isOther)) fitted.tool_calls = calls;
  return fitted;
}
