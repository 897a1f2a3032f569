import type { NeutralRequest } from '../../core/answer.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import type { Message } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView } from '../dialect.js';
import { refuseDeepArguments } from '../texts/fields.js';
import { carriedMessages } from '../translate/carried-messages.js';
import { carriedTools, type GivenTools, RUNS_ELSEWHERE } from '../translate/carried-tools.js';
import { readEffort } from '../translate/reasoning.js';
import { refuseUntranslatable } from '../translate/unsupported.js';
import { refuseTranslation } from '../wire/check.js';
import {
  asArray,
  asBoolean,
  asNumber,
  asObject,
  asObjects,
  asString,
  dropUndefined,
} from '../wire/values.js';
import { readClientTools } from './client-tools.js';
import { nameOf } from './offered-tools.js';
import { conversationMessages } from './parse.js';

export function* toNeutral(document: JsonDocument, view: RequestView): Steps<NeutralRequest> {
  const body = document.value;
  const leftOut = refuseUntranslatable(body, 'openai.responses');
  refuseReferences(body.input);
  const placed = yield* conversationMessages(body);
  const messages = carriedMessages(placed, leftOut);
  yield* refuseDeepArguments(placed);
  const tools = readTools(body);
  append(leftOut, tools.leftOut);
  const effort = readEffort(asObject(body.reasoning)?.effort);
  return dropUndefined<NeutralRequest>({
    messages: mergeAssistant(messages),
    stream: view.stream,
    streamUsage: true,
    maxOutputTokens: asNumber(body.max_output_tokens),
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    ...carriedTools(tools),
    parallelToolCalls: asBoolean(body.parallel_tool_calls),
    outputSchema: view.outputSchema,
    outputJson: view.outputJson && true,
    reasoning: effort === undefined ? undefined : { effort },
    user: asString(body.user),
    leftOut: leftOut.length === 0 ? undefined : leftOut,
  });
}

/** Throws for references to stored answers by their id. Clients expect them unless they send `store: false`. */
function refuseReferences(input: JsonValue | undefined): void {
  const position = asArray(input).findIndex((item) => {
    const { type, id } = asObject(item) ?? {};
    // Reasoning of one model is useless to another one, so a reference to it is left out.
    return type === 'item_reference' && !asString(id)?.startsWith('rs_');
  });
  if (position === -1) return;
  const why = 'answers are not stored there. Send the item itself, as clients do with `store: false`';
  refuseTranslation(`input[${position}]`, why);
}

/** In this API an assistant's reasoning, text and calls are items of their own. Other APIs put them into one message. */
function mergeAssistant(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.role === 'assistant' && last?.role === 'assistant') append(last.parts, message.parts);
    else merged.push({ ...message, parts: [...message.parts] });
  }
  return merged;
}

function readTools({ tools, tool_choice: choice }: JsonObject): GivenTools {
  const { tools: read, leftOut } = readClientTools(tools);
  const given = { tools: read.map(({ definition }) => definition), leftOut };
  if (choice === 'auto' || choice === 'none' || choice === 'required') {
    return { choice: { type: choice }, ...given };
  }
  const object = asObject(choice);
  if (object === undefined) return given;
  if (object.type === 'allowed_tools') {
    const allowed = asObjects(object.tools).map(nameOf);
    return { allowed, choice: { type: object.mode === 'required' ? 'required' : 'auto' }, ...given };
  }
  const name = nameOf(object);
  if ((object.type !== 'function' && object.type !== 'custom') || name === '') {
    refuseTranslation('tool_choice', RUNS_ELSEWHERE);
  }
  return { choice: { type: 'tool', name }, ...given };
}
