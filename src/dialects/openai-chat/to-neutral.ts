import type { NeutralRequest } from '../../core/answer.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import type { ToolDefinition } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView } from '../dialect.js';
import { refuseDeepArguments } from '../texts/fields.js';
import { carriedMessages } from '../translate/carried-messages.js';
import { carriedTools, type GivenTools, RUNS_ELSEWHERE } from '../translate/carried-tools.js';
import { freeformTool } from '../translate/freeform.js';
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
import { conversationMessages } from './messages.js';
import { readFunction } from './offered-tools.js';

export function* toNeutral(document: JsonDocument, view: RequestView): Steps<NeutralRequest> {
  const body = document.value;
  const leftOut = refuseUntranslatable(body, 'openai.chat');
  const placed = yield* conversationMessages(body);
  const messages = carriedMessages(placed, leftOut);
  const tools = readTools(body);
  append(leftOut, tools.leftOut);
  yield* refuseDeepArguments(placed);
  const effort = readEffort(body.reasoning_effort);
  return dropUndefined<NeutralRequest>({
    messages,
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
    ...carriedTools(tools),
    parallelToolCalls: asBoolean(body.parallel_tool_calls),
    outputSchema: view.outputSchema,
    outputJson: view.outputJson && true,
    reasoning: effort === undefined ? undefined : { effort },
    user: asString(body.user),
    leftOut: leftOut.length === 0 ? undefined : leftOut,
  });
}

function readStop(stop: JsonValue | undefined): string[] | undefined {
  if (typeof stop === 'string') return [stop];
  return Array.isArray(stop) ? stop.filter((text) => typeof text === 'string') : undefined;
}

function readTools({ tools, tool_choice: choice }: JsonObject): GivenTools {
  const given: GivenTools = { tools: [], leftOut: [] };
  for (const [index, tool] of asArray(tools).entries()) {
    const read = readTool(asObject(tool) ?? {});
    if (read !== undefined) given.tools.push(read);
    else {
      const what = asString(asObject(tool)?.type) ?? 'unknown';
      given.leftOut.push({ path: `tools[${index}]`, what, why: RUNS_ELSEWHERE });
    }
  }
  if (choice === 'auto' || choice === 'none' || choice === 'required') {
    return { choice: { type: choice }, ...given };
  }
  const object = asObject(choice);
  if (object === undefined) return given;
  if (object.type === 'allowed_tools') {
    const { mode, tools: listed } = asObject(object.allowed_tools) ?? object;
    const allowed = asObjects(listed).flatMap((tool) => toolName(tool) ?? []);
    return { allowed, choice: { type: mode === 'required' ? 'required' : 'auto' }, ...given };
  }
  const name = toolName(object);
  if (name === undefined) refuseTranslation('tool_choice', RUNS_ELSEWHERE);
  return { choice: { type: 'tool', name }, ...given };
}

function readTool(tool: JsonObject): ToolDefinition | undefined {
  const read = readUnmarkedTool(tool);
  if (read !== undefined && tool.cache_control !== undefined) read.cacheControl = tool.cache_control;
  return read;
}

function readUnmarkedTool(tool: JsonObject): ToolDefinition | undefined {
  const definition = asObject(tool.function);
  if (tool.type === 'function' && definition !== undefined) return readFunction(definition);
  const custom = asObject(tool.custom);
  if (tool.type !== 'custom' || custom === undefined) return undefined;
  const name = asString(custom.name) ?? '';
  return freeformTool(name, asString(custom.description), asObject(custom.format));
}

/** The name of the tool in a tool choice; undefined where clients do not run it. */
function toolName(choice: JsonObject): string | undefined {
  if (choice.type !== 'function' && choice.type !== 'custom') return undefined;
  return asString(asObject(choice[choice.type])?.name);
}
