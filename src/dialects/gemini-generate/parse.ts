import type { Answer, Choice } from '../../core/answer.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import type { FinishReason, Message, OutputSchema, Usage } from '../../core/message.js';
import { ownProperty } from '../../core/own-property.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { CallAddress, RequestView } from '../dialect.js';
import { findTextsInSteps, hasNoOtherTexts } from '../members/find-texts.js';
import { refuseLookalikes } from '../members/lookalikes.js';
import type { Members } from '../members/members.js';
import { addContextTexts, withContextTexts, withRequest } from '../texts/context-texts.js';
import {
  addTexts,
  emptyParts,
  endsStep,
  type PlacedMessage,
  type PlacedParts,
  readObjects,
  toMessage,
} from '../texts/fields.js';
import { samplingParameters } from '../translate/parameters.js';
import { checkShape } from '../wire/check.js';
import type { Path } from '../wire/splice.js';
import { asNumber, asObject, asObjects, asString } from '../wire/values.js';
import { answerIds, type CallIds, conversationIds, readParts } from './content.js';
import { failureOf } from './errors.js';
import * as members from './members.js';
import { keyOf, memberOf } from './names.js';
import { readSchema } from './schema.js';
import { expectGenerateRequest } from './shape.js';

/** In this API the model, and whether the answer is a stream, are in the path. */
export function* readRequest(
  document: JsonDocument,
  address: CallAddress = { model: '', stream: false },
): Steps<RequestView> {
  const { value } = document;
  yield* refuseLookalikes(value, members.request);
  checkShape(expectGenerateRequest, value);
  const config = generationConfig(value);
  const setting = (name: string) => memberOf(config, name) ?? null;
  const view: RequestView = {
    model: address.model,
    stream: address.stream,
    metadata: asObject(value.metadata) ?? null,
    store: false,
    // A stream of this API always contains its usage.
    streamUsage: true,
    choiceCount: asNumber(memberOf(config, 'candidateCount')) ?? 1,
    parameters: samplingParameters({
      temperature: setting('temperature'),
      top_p: setting('topP'),
      top_k: setting('topK'),
      max_tokens: setting('maxOutputTokens'),
      frequency_penalty: setting('frequencyPenalty'),
      presence_penalty: setting('presencePenalty'),
      seed: setting('seed'),
      stop_sequences: setting('stopSequences'),
    }),
  };
  const outputSchema = readOutputSchema(value);
  if (outputSchema !== undefined) view.outputSchema = outputSchema;
  else if (memberOf(generationConfig(value), 'responseMimeType') === 'application/json')
    view.outputJson = 'any';
  return view;
}

export function generationConfig(request: JsonObject): JsonObject | undefined {
  return asObject(memberOf(request, 'generationConfig'));
}

export function readOutputSchema(request: JsonObject): OutputSchema | undefined {
  const config = generationConfig(request);
  if (config === undefined) return undefined;
  const schema = readSchema(config, { own: 'responseSchema', json: 'responseJsonSchema' });
  return schema === undefined ? undefined : { schema };
}

/** The system instruction first, where there is one. */
export function* conversationMessages(request: JsonObject): Steps<PlacedMessage[]> {
  return (yield* placedMessages(request)).map((entry) => entry.placed);
}

/** The messages in the form that plugins see. */
export function* guardedMessages(request: JsonObject): Steps<PlacedMessage[]> {
  const messages: PlacedMessage[] = [];
  for (const [index, { placed, value, path }] of (yield* placedMessages(request)).entries()) {
    messages.push(yield* withContextTexts(placed, value, path, members.content));
    if (endsStep(index)) yield;
  }
  return yield* withRequest(messages, request, members.request, [
    'systemInstruction',
    'system_instruction',
    'contents',
  ]);
}

interface ReadValue {
  placed: PlacedMessage;
  value: JsonObject;
  path: Path;
}

function* placedMessages(request: JsonObject): Steps<ReadValue[]> {
  const ids = conversationIds();
  const system = asObject(memberOf(request, 'systemInstruction'));
  const first =
    system === undefined
      ? []
      : [yield* placeContent('system', system, [keyOf(request, 'systemInstruction')], ids)];
  const contents = yield* readObjects(request.contents, (content, index) => {
    const role = content.role === 'model' ? 'assistant' : content.role === 'system' ? 'system' : 'user';
    return placeContent(role, content, ['contents', index], ids);
  });
  return [...first, ...contents];
}

function* placeContent(role: Message['role'], value: JsonObject, path: Path, ids: CallIds): Steps<ReadValue> {
  const placed = toMessage(role, yield* readParts(value.parts, [...path, 'parts'], ids));
  return { placed, value, path };
}

export function* readAnswer(value: JsonValue): Steps<Answer | undefined> {
  const body = asObject(value);
  if (body === undefined) return undefined;
  const feedback = asObject(memberOf(body, 'promptFeedback'));
  if (!Array.isArray(body.candidates) && feedback === undefined) return undefined;
  if (failureOf(body) !== undefined) return undefined;
  const id = asString(memberOf(body, 'responseId')) ?? '';
  const placed = yield* placedAnswer(body);
  const choices = asObjects(body.candidates).map((candidate, position): Choice => {
    const { parts } = placed[position]!;
    const calls = parts.some((part) => part.type === 'tool-call');
    const finishReason = readFinishReason(memberOf(candidate, 'finishReason'), calls);
    return { index: asNumber(candidate.index) ?? position, parts, finishReason };
  });
  if (choices.length === 0) {
    choices.push({ index: 0, parts: placed[0]!.parts, finishReason: 'content-filter' });
  }
  const answer: Answer = { id, model: asString(memberOf(body, 'modelVersion')) ?? '', choices };
  const created = Date.parse(asString(memberOf(body, 'createTime')) ?? '');
  if (!Number.isNaN(created)) answer.created = Math.floor(created / 1000);
  const usage = readUsage(asObject(memberOf(body, 'usageMetadata')));
  if (usage !== undefined) answer.usage = usage;
  return answer;
}

/** The parts of each candidate, in order, with the texts beside them. Where there is no candidate, one empty entry. */
export function* placedAnswer(body: JsonObject): Steps<PlacedParts[]> {
  const ids = answerIds(asString(memberOf(body, 'responseId')) ?? '');
  const placed = yield* readObjects(asObjects(body.candidates), (candidate, position) =>
    placeCandidate(candidate, ['candidates', position], ids),
  );
  // Where the provider blocks a prompt, there is no candidate. Texts outside of candidates belong to the first entry.
  if (placed.length === 0) placed.push(emptyParts());
  if (hasNoOtherTexts(['candidates'], body, members.answer)) return placed;
  const read = new Map([[body, new Set(['candidates'])]]);
  yield* addTexts(placed[0]!, yield* findTextsInSteps(body, [], members.answer, read));
  return placed;
}

function* placeCandidate(candidate: JsonObject, path: Path, ids: CallIds): Steps<PlacedParts> {
  const content = asObject(candidate.content);
  const placed =
    content === undefined
      ? emptyParts()
      : yield* readParts(content.parts, [...path, 'content', 'parts'], ids);
  yield* addContextTexts(placed, candidate, path, candidateMembers);
  return placed;
}

const candidateMembers = members.answer.known.get('candidates') as Members;

const FINISH_REASONS: Record<string, FinishReason> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
  LANGUAGE: 'content-filter',
  OTHER: 'content-filter',
};

/** The API ends a turn with tool calls by a plain STOP. */
export function readFinishReason(value: JsonValue | undefined, calls: boolean): FinishReason | null {
  if (typeof value !== 'string' || value === 'FINISH_REASON_UNSPECIFIED') return null;
  const reason = ownProperty(FINISH_REASONS, value) ?? 'other';
  return reason === 'stop' && calls ? 'tool-calls' : reason;
}

/** The API counts thoughts, and the results of its own tools, separately. The neutral form includes them. */
export function readUsage(usage: JsonObject | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  const count = (name: string) => asNumber(memberOf(usage, name));
  const thoughts = count('thoughtsTokenCount');
  const cached = count('cachedContentTokenCount');
  const read: Usage = {
    inputTokens: (count('promptTokenCount') ?? 0) + (count('toolUsePromptTokenCount') ?? 0),
    outputTokens: (count('candidatesTokenCount') ?? 0) + (thoughts ?? 0),
  };
  if (cached !== undefined) read.cachedInputTokens = cached;
  if (thoughts !== undefined) read.reasoningTokens = thoughts;
  const audio = (name: string) => audioTokens(memberOf(usage, name));
  const audioInput = audio('promptTokensDetails');
  if (audioInput !== undefined) read.audioInputTokens = audioInput;
  const cachedAudio = audio('cacheTokensDetails');
  if (cachedAudio !== undefined) read.cachedAudioInputTokens = cachedAudio;
  const audioOutput = audio('candidatesTokensDetails');
  if (audioOutput !== undefined) read.audioOutputTokens = audioOutput;
  const tier = asString(memberOf(usage, 'serviceTier')) ?? tierOfTraffic(memberOf(usage, 'trafficType'));
  if (tier !== undefined) read.serviceTier = tier;
  return read;
}

function audioTokens(details: JsonValue | undefined): number | undefined {
  const audio = asObjects(details).find((entry) => memberOf(entry, 'modality') === 'AUDIO');
  return audio && asNumber(memberOf(audio, 'tokenCount'));
}

/** Vertex names the way of payment, such as `ON_DEMAND_FLEX`; plain `ON_DEMAND` is not a tier. */
function tierOfTraffic(traffic: JsonValue | undefined): string | undefined {
  if (typeof traffic !== 'string') return undefined;
  const [, tier] = /^ON_DEMAND_(\w+)$/.exec(traffic) ?? [];
  return tier?.toLowerCase();
}
