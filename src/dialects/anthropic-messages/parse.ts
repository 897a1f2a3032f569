import type { Answer } from '../../core/answer.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import type { FinishReason, OutputSchema, Usage } from '../../core/message.js';
import { ownProperty } from '../../core/own-property.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView } from '../dialect.js';
import { refuseLookalikes } from '../members/lookalikes.js';
import { addContextTexts, withContextTexts, withRequest } from '../texts/context-texts.js';
import { endsStep, type PlacedMessage, type PlacedParts, readObjects, toMessage } from '../texts/fields.js';
import { samplingParameters } from '../translate/parameters.js';
import { checkShape } from '../wire/check.js';
import type { Path } from '../wire/splice.js';
import { asNumber, asObject, asString } from '../wire/values.js';
import { readContent } from './content.js';
import * as members from './members.js';
import { expectMessagesRequest } from './shape.js';

export function* readRequest(document: JsonDocument): Steps<RequestView> {
  const { value } = document;
  yield* refuseLookalikes(value, members.request);
  checkShape(expectMessagesRequest, value);
  const view: RequestView = {
    model: value.model as string,
    stream: value.stream === true,
    metadata: asObject(value.metadata) ?? null,
    store: value.store === true,
    // A stream of this API always contains its usage.
    streamUsage: true,
    choiceCount: 1,
    parameters: samplingParameters(value),
  };
  const outputSchema = readOutputSchema(value);
  if (outputSchema !== undefined) view.outputSchema = outputSchema;
  return view;
}

export function readOutputSchema(request: JsonObject): OutputSchema | undefined {
  const format = asObject(asObject(request.output_config)?.format);
  if (format?.type !== 'json_schema' || format.schema === undefined) return undefined;
  return { schema: format.schema };
}

/** The system prompt first, where there is one. */
export function* conversationMessages(request: JsonObject): Steps<PlacedMessage[]> {
  return (yield* placedMessages(request)).map((entry) => entry.placed);
}

/** The messages in the form that plugins see. */
export function* guardedMessages(request: JsonObject): Steps<PlacedMessage[]> {
  const messages: PlacedMessage[] = [];
  for (const [index, { placed, value, path }] of (yield* placedMessages(request)).entries()) {
    const known = path.length === 0 ? members.request : members.message;
    messages.push(yield* withContextTexts(placed, value, path, known));
    if (endsStep(index)) yield;
  }
  return yield* withRequest(messages, request, members.request, ['system', 'messages']);
}

interface ReadValue {
  placed: PlacedMessage;
  value: JsonObject;
  path: Path;
}

function* placedMessages(request: JsonObject): Steps<ReadValue[]> {
  const { system } = request;
  const first =
    system === undefined || system === null
      ? []
      : [{ placed: yield* readSystem(system), value: { system }, path: [] }];
  return [...first, ...(yield* readObjects(request.messages, readTurn))];
}

function* readTurn(value: JsonObject, index: number): Steps<ReadValue> {
  const path = ['messages', index];
  const role = value.role === 'assistant' || value.role === 'system' ? value.role : 'user';
  const placed = toMessage(role, yield* readContent(value.content, [...path, 'content']));
  return { placed, value, path };
}

function* readSystem(system: JsonValue): Steps<PlacedMessage> {
  return toMessage('system', yield* readContent(system, ['system']));
}

export function* readAnswer(value: JsonValue): Steps<Answer | undefined> {
  const body = asObject(value);
  if (body === undefined || body.type !== 'message' || !Array.isArray(body.content)) return undefined;
  const { parts } = yield* placedAnswer(body);
  const answer: Answer = {
    id: asString(body.id) ?? '',
    model: asString(body.model) ?? '',
    choices: [{ index: 0, parts, finishReason: readStopReason(body.stop_reason) }],
  };
  const usage = readUsage(asObject(body.usage));
  if (usage !== undefined) answer.usage = usage;
  if (typeof body.stop_sequence === 'string') answer.stopSequence = body.stop_sequence;
  return answer;
}

export function* placedAnswer(body: JsonObject): Steps<PlacedParts> {
  const placed = yield* readContent(body.content, ['content']);
  yield* addContextTexts(placed, body, [], members.answer);
  return placed;
}

const STOP_REASONS: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  refusal: 'refusal',
  pause_turn: 'pause',
};

export function readStopReason(value: JsonValue | undefined): FinishReason | null {
  if (typeof value !== 'string') return null;
  return ownProperty(STOP_REASONS, value) ?? 'other';
}

/** The API counts cached tokens apart from `input_tokens`; the neutral form includes them. */
export function readUsage(usage: JsonObject | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  const cached = asNumber(usage.cache_read_input_tokens);
  const written = asNumber(usage.cache_creation_input_tokens);
  const read: Usage = {
    inputTokens: (asNumber(usage.input_tokens) ?? 0) + (cached ?? 0) + (written ?? 0),
    outputTokens: asNumber(usage.output_tokens) ?? 0,
  };
  if (cached !== undefined) read.cachedInputTokens = cached;
  if (written !== undefined) read.cacheCreationInputTokens = written;
  const anHour = asNumber(asObject(usage.cache_creation)?.ephemeral_1h_input_tokens);
  if (anHour !== undefined) read.cacheCreation1hInputTokens = anHour;
  const tier = asString(usage.service_tier);
  if (tier !== undefined) read.serviceTier = tier;
  const reasoning = asNumber(asObject(usage.output_tokens_details)?.thinking_tokens);
  if (reasoning !== undefined) read.reasoningTokens = reasoning;
  return read;
}
