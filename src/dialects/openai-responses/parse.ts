import type { Answer } from '../../core/answer.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import type { FinishReason, OutputSchema, Usage } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView } from '../dialect.js';
import { refuseLookalikes } from '../members/lookalikes.js';
import { addContextTexts, withContextTexts, withRequest } from '../texts/context-texts.js';
import {
  addAll,
  emptyParts,
  type PlacedMessage,
  type PlacedParts,
  readObjects,
  toMessage,
} from '../texts/fields.js';
import { samplingParameters } from '../translate/parameters.js';
import { checkShape } from '../wire/check.js';
import type { Path } from '../wire/splice.js';
import { asNumber, asObject, asObjects, asString, dropUndefined, withoutUndefined } from '../wire/values.js';
import { readError } from './errors.js';
import { readContent, readItem } from './items.js';
import * as members from './members.js';
import { expectResponsesRequest } from './shape.js';

export function* readRequest(document: JsonDocument): Steps<RequestView> {
  const { value } = document;
  yield* refuseLookalikes(value, members.request);
  checkShape(expectResponsesRequest, value);
  const view: RequestView = {
    model: value.model as string,
    stream: value.stream === true,
    metadata: asObject(value.metadata) ?? null,
    store: value.store === true,
    // A stream of this API always contains its usage.
    streamUsage: true,
    choiceCount: 1,
    parameters: samplingParameters(value, { max_tokens: value.max_output_tokens ?? null }),
  };
  const outputSchema = readOutputSchema(value);
  if (outputSchema !== undefined) view.outputSchema = outputSchema;
  if (asObject(asObject(value.text)?.format)?.type === 'json_object') view.outputJson = 'object';
  const forAnswer = membersForAnswer(value);
  if (forAnswer !== undefined) view.forAnswer = forAnswer;
  return view;
}

/** Answers repeat the format of their text. Calls of plain functions are written without a look at the tools. */
function membersForAnswer({ text, tools }: JsonObject): JsonObject | undefined {
  const hasOthers = asObjects(tools).some(({ type }) => type !== 'function');
  if (text === undefined && !hasOthers) return undefined;
  return withoutUndefined({ text, tools: hasOthers ? tools : undefined });
}

export function readOutputSchema(request: JsonObject): OutputSchema | undefined {
  const format = asObject(asObject(request.text)?.format);
  if (format?.type !== 'json_schema' || format.schema === undefined) return undefined;
  return dropUndefined<OutputSchema>({
    schema: format.schema,
    name: asString(format.name),
    description: asString(format.description),
    strict: typeof format.strict === 'boolean' ? format.strict : undefined,
  });
}

export function conversationMessages(request: JsonObject): Steps<PlacedMessage[]> {
  return placedItems(request, readItem);
}

/** The messages as plugins see them. */
export function* guardedMessages(request: JsonObject): Steps<PlacedMessage[]> {
  const placed = yield* placedItems(request, readGuardedItem);
  const read = typeof request.instructions === 'string' ? ['instructions', 'input'] : ['input'];
  return yield* withRequest(placed, request, members.request, read);
}

function* readGuardedItem(item: JsonObject, path: Path): Steps<PlacedMessage> {
  return yield* withContextTexts(yield* readItem(item, path), item, path, members.given);
}

/** The instructions first, then one message for each item of the input. */
function* placedItems(request: JsonObject, read: typeof readItem): Steps<PlacedMessage[]> {
  const system =
    typeof request.instructions === 'string'
      ? [toMessage('system', yield* readContent(request.instructions, ['instructions']))]
      : [];
  if (typeof request.input === 'string') {
    return [...system, toMessage('user', yield* readContent(request.input, ['input']))];
  }
  const items = yield* readObjects(request.input, (item, index) => read(item, ['input', index]));
  return [...system, ...items];
}

export function* readAnswer(value: JsonValue): Steps<Answer | undefined> {
  const body = asObject(value);
  if (body === undefined || body.object !== 'response' || !Array.isArray(body.output)) return undefined;
  // The body is an error in the form of an answer.
  if (body.status === 'failed' && readError(body) !== undefined) return undefined;
  const { parts } = yield* placedOutput(body);
  const answer: Answer = {
    id: asString(body.id) ?? '',
    model: asString(body.model) ?? '',
    choices: [{ index: 0, parts, finishReason: readFinishReason(body) }],
  };
  const created = asNumber(body.created_at);
  if (created !== undefined) answer.created = created;
  const usage = readUsage(body);
  if (usage !== undefined) answer.usage = usage;
  return answer;
}

/** All output items as the parts of one choice. */
export function* placedOutput(body: JsonObject): Steps<PlacedParts> {
  const all = emptyParts();
  for (const placed of yield* readObjects(body.output, (item, index) => readItem(item, ['output', index]))) {
    addAll(all, placed);
  }
  yield* addContextTexts(all, body, [], members.answer);
  return all;
}

const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call']);

/** Why an answer ended; null where it has not ended. */
export function readFinishReason(response: JsonObject): FinishReason | null {
  switch (response.status) {
    case 'completed': {
      const called = asObjects(response.output).some(({ type }) => CALLS.has(asString(type) ?? ''));
      return called ? 'tool-calls' : 'stop';
    }
    case 'incomplete': {
      const reason = asObject(response.incomplete_details)?.reason;
      return reason === 'content_filter' ? 'content-filter' : 'length';
    }
    case 'queued':
    case 'in_progress':
      return null;
    default:
      // The status is failed, cancelled, or a newer one.
      return 'other';
  }
}

/** The usage of a response, which names the service tier beside it. */
export function readUsage(response: JsonObject): Usage | undefined {
  const usage = asObject(response.usage);
  if (usage === undefined) return undefined;
  const input = asObject(usage.input_tokens_details);
  return dropUndefined<Usage>({
    inputTokens: asNumber(usage.input_tokens) ?? 0,
    outputTokens: asNumber(usage.output_tokens) ?? 0,
    cachedInputTokens: asNumber(input?.cached_tokens),
    cacheCreationInputTokens: asNumber(input?.cache_write_tokens),
    reasoningTokens: asNumber(asObject(usage.output_tokens_details)?.reasoning_tokens),
    audioInputTokens: asNumber(input?.audio_tokens),
    audioOutputTokens: asNumber(asObject(usage.output_tokens_details)?.audio_tokens),
    serviceTier: asString(response.service_tier),
  });
}
