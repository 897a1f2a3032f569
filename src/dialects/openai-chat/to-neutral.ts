import type { NeutralRequest } from '../../core/answer.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import type { ToolChoice, ToolDefinition } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView } from '../dialect.js';
import { mapInSteps, refuseDeepArguments, refuseOthers } from '../texts/fields.js';
import { readEffort } from '../translate/reasoning.js';
import { refuseUntranslatable } from '../translate/unsupported.js';
import { refuseTranslation } from '../wire/check.js';
import { asBoolean, asNumber, asObject, asObjects, asString, dropUndefined } from '../wire/values.js';
import { conversationMessages } from './messages.js';
import { readFunction } from './offered-tools.js';

export function* toNeutral(document: JsonDocument, view: RequestView): Steps<NeutralRequest> {
  const body = document.value;
  refuseUntranslatable(body, 'openai.chat');
  const placed = yield* conversationMessages(body);
  refuseOthers(placed);
  yield* refuseDeepArguments(placed);
  const effort = readEffort(body.reasoning_effort);
  return dropUndefined<NeutralRequest>({
    messages: placed.map(({ message }) => message),
    stream: view.stream,
    streamUsage: view.streamUsage,
    maxOutputTokens: asNumber(body.max_completion_tokens) ?? asNumber(body.max_tokens),
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    topK: asNumber(body.top_k),
    frequencyPenalty: asNumber(body.frequency_penalty),
    presencePenalty: asNumber(body.presence_penalty),
    seed: asNumber(body.seed),
    stop: readStop(body.stop),
    choiceCount: view.choiceCount === 1 ? undefined : view.choiceCount,
    tools: yield* mapInSteps(Array.isArray(body.tools) ? asObjects(body.tools) : undefined, readTool),
    toolChoice: readToolChoice(body.tool_choice),
    parallelToolCalls: asBoolean(body.parallel_tool_calls),
    outputSchema: view.outputSchema,
    outputJson: view.outputJson && true,
    reasoning: effort === undefined ? undefined : { effort },
    user: asString(body.user),
  });
}

function readStop(stop: JsonValue | undefined): string[] | undefined {
  if (typeof stop === 'string') return [stop];
  return Array.isArray(stop) ? stop.filter((text) => typeof text === 'string') : undefined;
}

function readTool(tool: JsonObject, index: number): ToolDefinition {
  const definition = asObject(tool.function);
  if (tool.type !== 'function' || definition === undefined) {
    refuseTranslation(`tools[${index}].type`, 'only functions are known to every API');
  }
  return readFunction(definition);
}

function readToolChoice(choice: JsonValue | undefined): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice };
  const object = asObject(choice);
  if (object === undefined) return undefined;
  const name = asString(asObject(object.function)?.name);
  if (object.type !== 'function' || name === undefined) {
    refuseTranslation('tool_choice', 'only functions are known to every API');
  }
  return { type: 'tool', name };
}
