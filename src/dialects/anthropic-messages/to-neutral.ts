import type { NeutralRequest } from '../../core/answer.js';
import type { JsonDocument, JsonObject } from '../../core/json.js';
import type { ToolDefinition } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView } from '../dialect.js';
import { mapInSteps, refuseOthers } from '../texts/fields.js';
import { readEffort } from '../translate/reasoning.js';
import { refuseUntranslatable } from '../translate/unsupported.js';
import { refuseTranslation } from '../wire/check.js';
import { asBoolean, asNumber, asObject, asObjects, asString, dropUndefined } from '../wire/values.js';
import { isClientTool, readClientTool, readToolChoice } from './offered-tools.js';
import { conversationMessages } from './parse.js';

export function* toNeutral(document: JsonDocument, view: RequestView): Steps<NeutralRequest> {
  const body = document.value;
  refuseUntranslatable(body, 'anthropic.messages');
  const placed = yield* conversationMessages(body);
  refuseOthers(placed);
  const choice = asObject(body.tool_choice);
  const disableParallel = asBoolean(choice?.disable_parallel_tool_use);
  return dropUndefined<NeutralRequest>({
    messages: placed.map(({ message }) => message),
    stream: view.stream,
    streamUsage: true,
    maxOutputTokens: asNumber(body.max_tokens),
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    topK: asNumber(body.top_k),
    stop: Array.isArray(body.stop_sequences) ? (body.stop_sequences as string[]) : undefined,
    tools: yield* mapInSteps(Array.isArray(body.tools) ? asObjects(body.tools) : undefined, readTool),
    toolChoice: readToolChoice(choice),
    parallelToolCalls: disableParallel === undefined ? undefined : !disableParallel,
    outputSchema: view.outputSchema,
    reasoning: readReasoning(body),
    user: asString(asObject(body.metadata)?.user_id),
  });
}

function readTool(tool: JsonObject, index: number): ToolDefinition {
  if (!isClientTool(tool)) refuseTranslation(`tools[${index}].type`, "the tool is one of Anthropic's own");
  return readClientTool(tool);
}

function readReasoning(body: JsonObject): NeutralRequest['reasoning'] {
  const thinking = asObject(body.thinking);
  const effort = readEffort(asObject(body.output_config)?.effort);
  if (thinking?.type === 'enabled') {
    return dropUndefined({ effort, budgetTokens: asNumber(thinking.budget_tokens) });
  }
  return thinking?.type === 'disabled' || effort === undefined ? undefined : { effort };
}
