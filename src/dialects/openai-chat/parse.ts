import type { Answer, Choice } from '../../core/answer.js';
import { isJsonObject, type JsonDocument, type JsonObject, type JsonValue } from '../../core/json.js';
import { atOnce } from '../../core/load/pace.js';
import type { FinishReason, OutputSchema, Part, Usage } from '../../core/message.js';
import { ownProperty } from '../../core/own-property.js';
import { textsOf } from '../../core/part-texts.js';
import type { RequestView } from '../dialect.js';
import { addBeside, withBeside, withRequest } from '../helpers/beside.js';
import { checkShape } from '../helpers/check.js';
import {
  addAll,
  addOther,
  addPart,
  addTexts,
  asArray,
  asNumber,
  asObject,
  asString,
  emptyParts,
  endsStep,
  type Place,
  type PlacedMessage,
  type PlacedParts,
  readObjects,
  type Steps,
  toMessage,
} from '../helpers/fields.js';
import { findTextsInSteps, saysNothingBeside } from '../helpers/find-texts.js';
import { refuseLookalikes } from '../helpers/lookalikes.js';
import { samplingParameters } from '../helpers/parameters.js';
import { openReasoning } from '../helpers/signature.js';
import type { Path } from '../wire/splice.js';
import { readContent } from './content.js';
import * as members from './members.js';
import { plainAnswer } from './plain.js';
import { expectChatRequest } from './shape.js';

export function* readRequest(document: JsonDocument): Steps<RequestView> {
  const { value } = document;
  yield* refuseLookalikes(value, members.request);
  checkShape(expectChatRequest, value);
  const view: RequestView = {
    model: value.model as string,
    stream: value.stream === true,
    metadata: asObject(value.metadata) ?? null,
    store: value.store === true,
    streamUsage: asObject(value.stream_options)?.include_usage === true,
    choiceCount: asNumber(value.n) ?? 1,
    parameters: samplingParameters(value, {
      max_tokens: value.max_completion_tokens ?? value.max_tokens ?? null,
      stop_sequences: value.stop ?? null,
    }),
  };
  const outputSchema = readOutputSchema(value);
  if (outputSchema !== undefined) view.outputSchema = outputSchema;
  if (asObject(value.response_format)?.type === 'json_object') view.outputJson = 'object';
  return view;
}

export function readOutputSchema(request: JsonObject): OutputSchema | undefined {
  const format = asObject(request.response_format);
  const given = format?.type === 'json_schema' ? asObject(format.json_schema) : undefined;
  if (given === undefined || given.schema === undefined || given.schema === null) return undefined;
  const output: OutputSchema = { schema: given.schema };
  if (typeof given.name === 'string') output.name = given.name;
  if (typeof given.description === 'string') output.description = given.description;
  if (typeof given.strict === 'boolean') output.strict = given.strict;
  return output;
}

export function conversationMessages(request: JsonObject): Steps<PlacedMessage[]> {
  return readObjects(request.messages, (message, index) => readMessage(message, ['messages', index]));
}

/** The messages as plugins see them. */
export function* guardedMessages(request: JsonObject): Steps<PlacedMessage[]> {
  const placed = yield* readObjects(request.messages, function* (message, index) {
    const path = ['messages', index];
    return yield* withBeside(yield* readMessage(message, path), message, path, members.message);
  });
  return yield* withRequest(placed, request, members.request, ['messages']);
}

function* readMessage(message: JsonObject, path: Path): Steps<PlacedMessage> {
  switch (message.role) {
    case 'assistant':
      return toMessage('assistant', yield* readAssistant(message, path), message.name);
    case 'tool':
    case 'function':
      return yield* readToolMessage(message, path);
    case 'system':
    case 'developer':
    case 'user':
      return toMessage(message.role, yield* readContent(message.content, [...path, 'content']), message.name);
    default:
      // No checked request has another role. As a user's text it is guarded all the same.
      return toMessage('user', yield* readContent(message.content, [...path, 'content']), message.name);
  }
}

/** A message of the deprecated role `function` answers the call with its name. */
function* readToolMessage(message: JsonObject, path: Path): Steps<PlacedMessage> {
  const { parts, ...rest } = yield* readContent(message.content, [...path, 'content']);
  const callId = asString(message.tool_call_id) ?? asString(message.name) ?? '';
  return toMessage('tool', { ...rest, parts: [{ type: 'tool-result', callId, parts }] });
}

/** An assistant's message, in a request or in an answer. */
function* readAssistant(message: JsonObject, path: Path): Steps<PlacedParts> {
  const placed = emptyParts();
  yield* readReasoning(message, path, placed);
  addAll(placed, yield* readContent(message.content, [...path, 'content']));
  if (typeof message.refusal === 'string') {
    addPart(placed, { type: 'refusal', text: message.refusal }, { path: [...path, 'refusal'] });
  }
  yield* readObjects(message.tool_calls, (call, index) =>
    readToolCall(call, [...path, 'tool_calls', index], placed),
  );
  const legacy = asObject(message.function_call);
  if (legacy !== undefined) {
    const name = asString(legacy.name) ?? '';
    const place = { path: [...path, 'function_call', 'arguments'] };
    addPart(
      placed,
      { type: 'tool-call', id: name, name, arguments: asString(legacy.arguments) ?? '' },
      place,
    );
  }
  return placed;
}

/**
 * The fields that vLLM, DeepSeek, OpenRouter and others use; the API itself shows no reasoning. Details hold the
 * proofs, each with its text; the plain field then says all texts once more.
 */
function* readReasoning(message: JsonObject, path: Path, placed: PlacedParts): Steps {
  const field = REASONING_FIELDS.find((name) => typeof message[name] === 'string');
  const plain = field === undefined ? undefined : { text: message[field] as string, path: [...path, field] };
  const details = yield* signedDetails(message, path);
  const [only, ...more] = details.filter(({ text }) => text !== '');
  const repeated = plain !== undefined && only?.text === plain.text && more.length === 0;
  if (plain !== undefined && !repeated && plain.text !== '') {
    addPart(placed, { type: 'reasoning', text: plain.text }, { path: plain.path });
  }
  for (const [index, detail] of details.entries()) {
    if (endsStep(index)) yield;
    const { text, signature } = detail;
    const place: Place = { path: detail.path };
    if (repeated && detail === only) place.again = plain.path;
    addPart(placed, { type: 'reasoning', text, signature }, place);
  }
}

const REASONING_FIELDS = ['reasoning_content', 'reasoning'];

interface SignedDetail {
  text: string;
  signature: string;
  path: Path;
}

function* signedDetails(message: JsonObject, path: Path): Steps<SignedDetail[]> {
  const details: SignedDetail[] = [];
  for (const [index, detail] of asArray(message.reasoning_details).entries()) {
    if (endsStep(index)) yield;
    if (!isJsonObject(detail) || detail.type !== 'reasoning.text') continue;
    const signature = openReasoning(asString(detail.signature), 'openai.chat');
    if (signature === undefined) continue;
    const text = asString(detail.text) ?? '';
    details.push({ text, signature, path: [...path, 'reasoning_details', index, 'text'] });
  }
  return details;
}

function* readToolCall(call: JsonObject, path: Path, placed: PlacedParts): Steps {
  const target = asObject(call.function);
  if (target === undefined) {
    yield* addOther(placed, call, path, members.toolCall);
    return;
  }
  addPart(
    placed,
    {
      type: 'tool-call',
      id: asString(call.id) ?? '',
      name: asString(target.name) ?? '',
      arguments: asString(target.arguments) ?? '',
    },
    { path: [...path, 'function', 'arguments'] },
  );
}

/** What reads the parts of an answer, which is left until somebody asks for them. */
const unread = new WeakMap<Answer, LazyChoices>();

// biome-ignore lint/correctness/useYield: one step, as of most answers.
export function* readAnswer(value: JsonValue): Steps<Answer | undefined> {
  const body = asObject(value);
  if (body === undefined || !asArray(body.choices).some(isChoice)) return undefined;
  const lazy = new LazyChoices(body);
  const answer: Answer = {
    id: asString(body.id) ?? '',
    model: asString(body.model) ?? '',
    get choices() {
      return lazy.choices;
    },
  };
  unread.set(answer, lazy);
  const created = asNumber(body.created);
  if (created !== undefined) answer.created = created;
  const usage = readUsage(body.usage);
  if (usage !== undefined) answer.usage = usage;
  return answer;
}

export function* readParts(answer: Answer): Steps {
  const lazy = unread.get(answer);
  if (lazy !== undefined) yield* lazy.read();
}

const CHOICES_AT_ONCE = 250;

/** Where nobody guards or checks the answer, its parts are read by nobody, and at most why it ended. */
class LazyChoices {
  #choices: Choice[] | undefined;
  #parts: Part[][] | undefined;

  constructor(private readonly body: JsonObject) {}

  get choices(): Choice[] {
    this.#choices ??= this.#make();
    return this.#choices;
  }

  *read(): Steps<Part[][]> {
    this.#parts ??= plainAnswer(this.body) ?? (yield* placedChoices(this.body)).map((placed) => placed.parts);
    this.#choices ??= yield* this.#withParts(this.#parts);
    return this.#parts;
  }

  *#withParts(parts: Part[][]): Steps<Choice[]> {
    const choices: Choice[] = [];
    for (const [position, choice] of asArray(this.body.choices).entries()) {
      if (position % CHOICES_AT_ONCE === CHOICES_AT_ONCE - 1) yield;
      if (!isJsonObject(choice) || !isChoice(choice)) continue;
      choices.push({ ...aboutChoice(choice, position), parts: parts[choices.length]! });
    }
    return choices;
  }

  #make(): Choice[] {
    const partsAt = (at: number) => (this.#parts ?? atOnce(this.read()))[at]!;
    const choices: Choice[] = [];
    for (const [position, choice] of asArray(this.body.choices).entries()) {
      if (!isJsonObject(choice) || !isChoice(choice)) continue;
      const at = choices.length;
      choices.push({
        ...aboutChoice(choice, position),
        get parts() {
          return partsAt(at);
        },
      });
    }
    return choices;
  }
}

function aboutChoice(choice: JsonObject, position: number): Omit<Choice, 'parts'> {
  return { index: asNumber(choice.index) ?? position, finishReason: readFinishReason(choice.finish_reason) };
}

type PlacedChoice = PlacedParts & { choice: Choice; position: number };

/** What an answer says beside its choices comes with the first of them. */
export function* placedChoices(body: JsonObject): Steps<PlacedChoice[]> {
  const choices = asArray(body.choices);
  const placed: PlacedChoice[] = [];
  for (const [position, choice] of choices.entries()) {
    const read = isJsonObject(choice) ? yield* readChoice(choice, position) : undefined;
    if (read !== undefined) placed.push(read);
    if (endsStep(position)) yield;
  }
  const [first] = placed;
  if (first === undefined) return [];
  if (placed.length === choices.length && saysNothingBeside(['choices'], body, members.answer)) return placed;
  const read = new Map([[choices, new Set(placed.map(({ position }) => position))]]);
  yield* addTexts(first, yield* findTextsInSteps(body, [], members.answer, read));
  return placed;
}

function isChoice(choice: JsonValue): boolean {
  return isJsonObject(choice) && (isJsonObject(choice.message) || typeof choice.text === 'string');
}

function* readChoice(choice: JsonObject, position: number): Steps<PlacedChoice | undefined> {
  const message = asObject(choice.message);
  const legacy = asString(choice.text);
  if (message === undefined && legacy === undefined) return undefined;
  const path = ['choices', position];
  const placed = message === undefined ? emptyParts() : yield* readAssistant(message, [...path, 'message']);
  // Servers of the older completions say all they have to say here.
  if (legacy !== undefined && message === undefined) {
    addPart(placed, { type: 'text', text: legacy }, { path: [...path, 'text'] });
  }
  if (message === undefined || !isOnlyContent(message, choice, placed)) {
    yield* addBeside(placed, choice, path, members.answerChoice, textsOf(placed.parts));
  }
  const index = asNumber(choice.index) ?? position;
  const finishReason = readFinishReason(choice.finish_reason);
  return { ...placed, position, choice: { index, parts: placed.parts, finishReason } };
}

/** Whether a choice is one string, as most are. */
function isOnlyContent(message: JsonObject, choice: JsonObject, { parts }: PlacedParts): boolean {
  return (
    parts.length === 1 &&
    typeof message.content === 'string' &&
    saysNothingBeside(['content'], message, members.answered) &&
    saysNothingBeside(['message'], choice, members.answerChoice)
  );
}

const FINISH_REASONS: Record<string, FinishReason> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
};

export function readFinishReason(value: JsonValue | undefined): FinishReason | null {
  if (typeof value !== 'string') return null;
  return ownProperty(FINISH_REASONS, value) ?? 'other';
}

export function readUsage(value: JsonValue | undefined): Usage | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  const read: Usage = {
    inputTokens: asNumber(usage.prompt_tokens) ?? 0,
    outputTokens: asNumber(usage.completion_tokens) ?? 0,
  };
  const input = asObject(usage.prompt_tokens_details);
  const cached = asNumber(input?.cached_tokens);
  if (cached !== undefined) read.cachedInputTokens = cached;
  const written = asNumber(input?.cache_write_tokens);
  if (written !== undefined) read.cacheCreationInputTokens = written;
  const reasoning = asNumber(asObject(usage.completion_tokens_details)?.reasoning_tokens);
  if (reasoning !== undefined) read.reasoningTokens = reasoning;
  return read;
}
