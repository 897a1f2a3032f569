import type { NeutralRequest } from '../../core/answer.js';
import { append } from '../../core/append.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import type { Message, ToolChoice, ToolDefinition } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView } from '../dialect.js';
import { mapInSteps, refuseDeepArguments, refuseOthers } from '../texts/fields.js';
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
import { readFunction } from './offered-tools.js';
import { conversationMessages } from './parse.js';

export function* toNeutral(document: JsonDocument, view: RequestView): Steps<NeutralRequest> {
  const body = document.value;
  refuseUntranslatable(body, 'openai.responses');
  refuseReferences(body.input);
  const placed = yield* conversationMessages(body);
  refuseOthers(placed);
  yield* refuseDeepArguments(placed);
  const effort = readEffort(asObject(body.reasoning)?.effort);
  return dropUndefined<NeutralRequest>({
    messages: mergeAssistant(placed.map(({ message }) => message)),
    stream: view.stream,
    streamUsage: true,
    maxOutputTokens: asNumber(body.max_output_tokens),
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    tools: yield* mapInSteps(Array.isArray(body.tools) ? asObjects(body.tools) : undefined, readTool),
    toolChoice: readToolChoice(body.tool_choice),
    parallelToolCalls: asBoolean(body.parallel_tool_calls),
    outputSchema: view.outputSchema,
    outputJson: view.outputJson && true,
    reasoning: effort === undefined ? undefined : { effort },
    user: asString(body.user),
  });
}

/** Clients that expect their answers to be stored refer to them; they can be told not to. */
function refuseReferences(input: JsonValue | undefined): void {
  const position = asArray(input).findIndex((item) => asObject(item)?.type === 'item_reference');
  if (position === -1) return;
  const why = 'answers are not stored there. Send the item itself, as clients do with `store: false`';
  refuseTranslation(`input[${position}]`, why);
}

/** What an assistant thought, said and called stands in items of its own here, elsewhere in one message. */
function mergeAssistant(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.role === 'assistant' && last?.role === 'assistant') append(last.parts, message.parts);
    else merged.push({ ...message, parts: [...message.parts] });
  }
  return merged;
}

function readTool(tool: JsonObject, index: number): ToolDefinition {
  if (tool.type !== 'function') {
    refuseTranslation(`tools[${index}].type`, 'only functions are known to every API');
  }
  return readFunction(tool);
}

function readToolChoice(choice: JsonValue | undefined): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice };
  const object = asObject(choice);
  if (object === undefined) return undefined;
  const name = asString(object.name);
  if (object.type !== 'function' || name === undefined) {
    refuseTranslation('tool_choice', 'only functions are known to every API');
  }
  return { type: 'tool', name };
}
