import type { Answer, Choice } from '../../core/answer.js';
import { isJsonObject, type JsonDocument, type JsonObject, type JsonValue } from '../../core/json.js';
import type { FinishReason, OutputSchema, Part, Usage } from '../../core/message.js';
import { ownProperty } from '../../core/own-property.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';
import { textsOf } from '../../core/texts/part-texts.js';
import type { RequestView } from '../dialect.js';
import { findTextsInSteps, hasNoOtherTexts } from '../members/find-texts.js';
import { refuseLookalikes } from '../members/lookalikes.js';
import { addContextTexts } from '../texts/context-texts.js';
import { addPart, addTexts, emptyParts, endsStep, type PlacedParts } from '../texts/fields.js';
import { samplingParameters } from '../translate/parameters.js';
import { checkShape } from '../wire/check.js';
import type { Path } from '../wire/splice.js';
import { asArray, asNumber, asObject, asString, dropUndefined } from '../wire/values.js';
import { madeCallId } from './call-parts.js';
import { readError } from './errors.js';
import * as members from './members.js';
import { readAssistant } from './messages.js';
import { plainAnswer } from './plain.js';
import { expectChatRequest } from './shape.js';
import { customTools } from './tools.js';

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
  const tools = customTools(value);
  if (tools.length > 0) view.forAnswer = { tools };
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

// biome-ignore lint/correctness/useYield: one step, as of most answers.
export function* readAnswer(value: JsonValue): Steps<Answer | undefined> {
  const body = asObject(value);
  if (body === undefined || !asArray(body.choices).some(isChoice) || readError(body) !== undefined)
    return undefined;
  return new ChatAnswer(body);
}

export function* readParts(answer: Answer): Steps {
  if (answer instanceof ChatAnswer) yield* answer.readParts();
}

const CHOICES_AT_ONCE = 250;

/** An answer whose choices are only read when a guard or a check needs them. */
class ChatAnswer implements Answer {
  readonly id: string;
  readonly model: string;
  declare created?: number;
  declare usage?: Usage;
  readonly #lazy: LazyChoices;

  constructor(body: JsonObject) {
    this.id = asString(body.id) ?? '';
    this.model = asString(body.model) ?? '';
    const created = asNumber(body.created);
    if (created !== undefined) this.created = created;
    const usage = readUsage(body.usage, body);
    if (usage !== undefined) this.usage = usage;
    this.#lazy = new LazyChoices(body);
  }

  get choices(): Choice[] {
    return this.#lazy.choices;
  }

  *readParts(): Steps {
    yield* this.#lazy.read();
  }
}

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
      choices.push({ parts: parts[choices.length]!, ...aboutChoice(choice, position) });
    }
    return choices;
  }

  #make(): Choice[] {
    const partsAt = (at: number) => (this.#parts ?? atOnce(this.read()))[at]!;
    const choices: Choice[] = [];
    for (const [position, choice] of asArray(this.body.choices).entries()) {
      if (!isJsonObject(choice) || !isChoice(choice)) continue;
      const at = choices.length;
      const { index, finishReason } = aboutChoice(choice, position);
      choices.push({
        index,
        finishReason,
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

/** The parts of each choice. Texts of an answer outside of its choices belong to the first choice. */
export function* placedChoices(body: JsonObject): Steps<PlacedChoice[]> {
  const choices = asArray(body.choices);
  const placed: PlacedChoice[] = [];
  for (const [position, choice] of choices.entries()) {
    const read = isJsonObject(choice) ? yield* readChoice(choice, position, body) : undefined;
    if (read !== undefined) placed.push(read);
    if (endsStep(position)) yield;
  }
  const [first] = placed;
  if (first === undefined) return [];
  if (placed.length === choices.length && hasNoOtherTexts(['choices'], body, members.answer)) return placed;
  const read = new Map([[choices, new Set(placed.map(({ position }) => position))]]);
  yield* addTexts(first, yield* findTextsInSteps(body, [], members.answer, read));
  return placed;
}

function isChoice(choice: JsonValue): boolean {
  return isJsonObject(choice) && (isJsonObject(choice.message) || typeof choice.text === 'string');
}

function* readChoice(
  choice: JsonObject,
  position: number,
  body: JsonObject,
): Steps<PlacedChoice | undefined> {
  const message = asObject(choice.message);
  const legacy = asString(choice.text);
  if (message === undefined && legacy === undefined) return undefined;
  const path = ['choices', position];
  const placed =
    message === undefined
      ? emptyParts()
      : yield* readAnswered(message, [...path, 'message'], idOf(body, position));
  // Servers of the older completions put the text directly into the choice.
  if (legacy !== undefined && message === undefined) {
    addPart(placed, { type: 'text', text: legacy }, { path: [...path, 'text'] });
  }
  if (message === undefined || !isOnlyContent(message, choice, placed)) {
    yield* addContextTexts(placed, choice, path, members.answerChoice, textsOf(placed.parts));
  }
  const index = asNumber(choice.index) ?? position;
  const finishReason = readFinishReason(choice.finish_reason);
  const { parts, places, others } = placed;
  return { parts, places, others, position, choice: { index, parts, finishReason } };
}

/** The message of an answer. Calls without ids get some, so that results can refer to them. */
function* readAnswered(message: JsonObject, path: Path, answerId: string): Steps<PlacedParts> {
  const placed = yield* readAssistant(message, path);
  let count = 0;
  for (const part of placed.parts) {
    if (part.type !== 'tool-call') continue;
    if (part.id === '') part.id = madeCallId(answerId, count);
    count++;
  }
  return placed;
}

/** Ids differ between the calls of different choices. */
function idOf({ id }: JsonObject, position: number): string {
  return `${asString(id) ?? ''}${position === 0 ? '' : position}`;
}

/** Whether the message of a choice is one string, as in most answers. */
function isOnlyContent(message: JsonObject, choice: JsonObject, { parts }: PlacedParts): boolean {
  return (
    parts.length === 1 &&
    typeof message.content === 'string' &&
    hasNoOtherTexts(['content'], message, members.answered) &&
    hasNoOtherTexts(['message'], choice, members.answerChoice)
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

/** `holder` is the answer, or the chunk of a stream, which has the service tier next to its usage. */
export function readUsage(value: JsonValue | undefined, holder: JsonObject): Usage | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  const input = asObject(usage.prompt_tokens_details);
  const output = asObject(usage.completion_tokens_details);
  return dropUndefined<Usage>({
    inputTokens: asNumber(usage.prompt_tokens) ?? 0,
    outputTokens: asNumber(usage.completion_tokens) ?? 0,
    // DeepSeek reports cache hits beside the details, and Moonshot without details.
    cachedInputTokens:
      asNumber(input?.cached_tokens) ??
      asNumber(usage.prompt_cache_hit_tokens) ??
      asNumber(usage.cached_tokens),
    cacheCreationInputTokens: asNumber(input?.cache_write_tokens),
    reasoningTokens: asNumber(output?.reasoning_tokens),
    audioInputTokens: asNumber(input?.audio_tokens),
    audioOutputTokens: asNumber(output?.audio_tokens),
    serviceTier: asString(holder.service_tier),
  });
}
