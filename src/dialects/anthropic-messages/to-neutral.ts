import type { NeutralRequest } from '../../core/answer.js';
import { isJsonObject, type JsonDocument, type JsonObject } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView } from '../dialect.js';
import { carriedMessages } from '../translate/carried-messages.js';
import { carriedTools, type GivenTools, RUNS_ELSEWHERE } from '../translate/carried-tools.js';
import { readEffort } from '../translate/reasoning.js';
import { refuseUntranslatable } from '../translate/unsupported.js';
import { refuseTranslation } from '../wire/check.js';
import { asArray, asBoolean, asNumber, asObject, asString, dropUndefined } from '../wire/values.js';
import { isClientTool, readClientTool, readToolChoice } from './offered-tools.js';
import { conversationMessages } from './parse.js';

export function* toNeutral(document: JsonDocument, view: RequestView): Steps<NeutralRequest> {
  const body = document.value;
  const leftOut = refuseUntranslatable(body, 'anthropic.messages');
  const messages = carriedMessages(yield* conversationMessages(body), leftOut);
  const tools = readTools(body);
  append(leftOut, tools.leftOut);
  const choice = asObject(body.tool_choice);
  const disableParallel = asBoolean(choice?.disable_parallel_tool_use);
  return dropUndefined<NeutralRequest>({
    messages,
    stream: view.stream,
    streamUsage: true,
    maxOutputTokens: asNumber(body.max_tokens),
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    topK: asNumber(body.top_k),
    stop: Array.isArray(body.stop_sequences) ? (body.stop_sequences as string[]) : undefined,
    ...carriedTools(tools),
    parallelToolCalls: disableParallel === undefined ? undefined : !disableParallel,
    outputSchema: view.outputSchema,
    reasoning: readReasoning(body),
    user: asString(asObject(body.metadata)?.user_id),
    leftOut: leftOut.length === 0 ? undefined : leftOut,
  });
}

function readTools(body: JsonObject): GivenTools {
  const given: GivenTools = { tools: [], leftOut: [] };
  for (const [index, tool] of asArray(body.tools).entries()) {
    if (!isJsonObject(tool)) continue;
    if (isClientTool(tool)) {
      const read = readClientTool(tool);
      if (tool.cache_control !== undefined) read.cacheControl = tool.cache_control;
      given.tools.push(read);
    } else {
      const what = asString(tool.type) ?? 'unknown';
      given.leftOut.push({ path: `tools[${index}]`, what, why: RUNS_ELSEWHERE });
    }
  }
  const choice = readToolChoice(asObject(body.tool_choice));
  if (choice === undefined) return given;
  const isKnown = choice.type !== 'tool' || given.tools.some(({ name }) => name === choice.name);
  if (!isKnown && given.leftOut.length > 0) refuseTranslation('tool_choice', RUNS_ELSEWHERE);
  return { choice, ...given };
}

function readReasoning(body: JsonObject): NeutralRequest['reasoning'] {
  const thinking = asObject(body.thinking);
  const effort = readEffort(asObject(body.output_config)?.effort);
  if (thinking?.type === 'enabled') {
    return dropUndefined({ effort, budgetTokens: asNumber(thinking.budget_tokens) });
  }
  return thinking?.type === 'disabled' || effort === undefined ? undefined : { effort };
}
