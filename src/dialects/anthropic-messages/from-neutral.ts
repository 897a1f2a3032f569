import type { NeutralRequest } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import type { JsonObject } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import type { MediaSource, Message, Part } from '../../core/message.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RenderTarget } from '../dialect.js';
import { flatMapInSteps, jsonObjectOf, mapInSteps } from '../texts/fields.js';
import { writeCacheControl } from '../translate/cache-control.js';
import { mediaTypeOf } from '../translate/media.js';
import { resolveOutputSchema, withOutputTool } from '../translate/output-tool.js';
import { JSON_PROMPT, NOTHING_SAID, withOurWords } from '../translate/prompts.js';
import { REDACTED, signatureForProvider } from '../translate/signature.js';
import { refuseWhatProviderLacks } from '../translate/unsupported.js';
import { refuseTranslation } from '../wire/check.js';
import { asString, withoutUndefined } from '../wire/values.js';
import { acceptedSchema, canBeHeldTo } from './output-schema.js';
import { DEFAULT_MAX_TOKENS, writeThinking } from './thinking.js';
import { writeChoice, writeTool } from './tools.js';

export function* fromNeutral(neutral: NeutralRequest, wanted: RenderTarget): Steps<string> {
  const resolved = resolveOutputSchema(wanted, neutral.outputSchema);
  const { outputSchema: output } = neutral;
  const isSayable = output === undefined || resolved.outputSchema !== 'native' || canBeHeldTo(output.schema);
  const target: RenderTarget = isSayable ? resolved : { ...resolved, outputSchema: 'prompt' };
  const request = withOutputTool(neutral, target);
  refuseWhatProviderLacks(request, 'anthropic.messages');
  const messages = withOurWords(request, target, request.outputJson ? [JSON_PROMPT] : []);
  const schema = target.outputSchema === 'native' ? request.outputSchema : undefined;
  const turns = yield* writeTurns(messages);
  const thinking = writeThinking(request, turns);
  const outputConfig = withoutUndefined({
    effort: thinking.effort,
    format: schema === undefined ? undefined : { type: 'json_schema', schema: acceptedSchema(schema.schema) },
  });
  const thinks = thinking.thinking !== undefined && thinking.thinking.type !== 'disabled';
  const userId = asString(target.metadata?.user_id) ?? request.user;
  return yield* stringifyInSteps(
    withoutUndefined({
      model: target.model,
      max_tokens: request.maxOutputTokens ?? thinking.maxTokens ?? DEFAULT_MAX_TOKENS,
      system: yield* writeSystem(messages),
      messages: withSomeTurn(turns),
      stream: request.stream ? true : undefined,
      ...(thinks ? {} : writeSampling(request, target.model)),
      stop_sequences: request.stop?.filter((text) => text.trim() !== ''),
      tools: yield* mapInSteps(request.tools, writeTool),
      tool_choice: writeToolChoice(request),
      thinking: thinking.thinking,
      output_config: Object.keys(outputConfig).length === 0 ? undefined : outputConfig,
      metadata: userId === undefined ? undefined : { user_id: userId },
    }),
  );
}

/** Older models, which accept a temperature and `top_p` in the same request. */
const TAKE_BOTH = /claude-(instant|[123]\b|(opus|sonnet)-4-(0|20250514))/;

/**
 * Writes temperature and `top_p`. The highest temperature of this API is 1, newer models accept only one of the two,
 * and a model that thinks accepts neither.
 */
function writeSampling(request: NeutralRequest, model: string): JsonObject {
  const { temperature, topP, topK } = request;
  return withoutUndefined({
    temperature: temperature === undefined ? undefined : Math.min(temperature, 1),
    top_p: temperature === undefined || TAKE_BOTH.test(model) ? topP : undefined,
    top_k: topK,
  });
}

/** Joins all system prompts of the conversation, because older models accept them only in `system`. */
function* writeSystem(messages: readonly Message[]): Steps<string | JsonObject[] | undefined> {
  const parts = messages.filter(isSystem).flatMap((message) => message.parts);
  const blocks = yield* flatMapInSteps(parts, writeBlock);
  if (blocks.length === 0) return undefined;
  const [only] = blocks;
  return blocks.length === 1 && isPlainText(only!) ? (only!.text! as string) : blocks;
}

/** Whether a block contains nothing but its text. */
function isPlainText(block: JsonObject): boolean {
  return block.type === 'text' && block.cache_control === undefined;
}

function isSystem(message: Message): boolean {
  return message.role === 'system' || message.role === 'developer';
}

interface Turn {
  role: 'user' | 'assistant';
  content: JsonObject[];
}

/** The turns of a conversation without its system prompts. */
export function* writeTurns(messages: readonly Message[]): Steps<JsonObject[]> {
  return mergeTurns(yield* flatMapInSteps(messages, writeMessage));
}

function* writeMessage(message: Message): Steps<Turn[]> {
  if (isSystem(message)) return [];
  const content = yield* flatMapInSteps(message.parts, writeBlock);
  return content.length === 0 ? [] : [{ role: message.role === 'assistant' ? 'assistant' : 'user', content }];
}

/**
 * Joins neighbouring turns of one role, because the results of parallel tool calls must be in one turn, before the
 * user's text.
 */
function mergeTurns(turns: readonly Turn[]): JsonObject[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (last?.role === turn.role) append(last.content, turn.content);
    else merged.push({ role: turn.role, content: [...turn.content] });
  }
  return withoutTrailingBlanks(merged).map(({ role, content }) => {
    const [only] = content;
    const plain = content.length === 1 && isPlainText(only!) ? only!.text! : resultsFirst(content);
    return { role, content: plain };
  });
}

/** The API refuses a last turn of the assistant that ends in white space. */
function withoutTrailingBlanks(turns: Turn[]): Turn[] {
  const last = turns.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || typeof block?.text !== 'string' || block.text === block.text.trimEnd()) {
    return turns;
  }
  const text = { ...block, text: block.text.trimEnd() };
  return [...turns.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), text] }];
}

/** The API refuses a request without a turn. */
function withSomeTurn(turns: JsonObject[]): JsonObject[] {
  return turns.length > 0 ? turns : [{ role: 'user', content: NOTHING_SAID }];
}

function resultsFirst(content: readonly JsonObject[]): JsonObject[] {
  const isResult = (block: JsonObject) => block.type === 'tool_result';
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}

/** The blocks of a part; none for a part without content, because the API refuses empty texts, and proofs of other APIs. */
function writeBlock(part: Part): JsonObject[] | Steps<JsonObject[]> {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text.trim() === ''
        ? []
        : [{ type: 'text', text: part.text, ...(part.type === 'text' ? writeCacheControl(part) : {}) }];
    case 'reasoning':
      return writeReasoning(part);
    case 'image':
      return [{ type: 'image', source: writeSource(part.source), ...writeCacheControl(part) }];
    case 'document': {
      const title = part.title ?? part.filename;
      const source = writeSource(asText(part.source));
      return [withoutUndefined({ type: 'document', source, title, ...writeCacheControl(part) })];
    }
    case 'tool-call':
      return writeToolCall(part);
    case 'tool-result':
      return writeToolResult(part);
    case 'other':
      return refuseTranslation('messages', 'it does not know a part of that type');
    default:
      return assertNever(part);
  }
}

function* writeToolCall(part: Extract<Part, { type: 'tool-call' }>): Steps<JsonObject[]> {
  const input = yield* jsonObjectOf(part.arguments);
  return [{ type: 'tool_use', id: toolId(part.id), name: part.name, input }];
}

function* writeToolResult(part: Extract<Part, { type: 'tool-result' }>): Steps<JsonObject[]> {
  const content = yield* flatMapInSteps(part.parts, writeBlock);
  const result = withoutUndefined({
    type: 'tool_result',
    tool_use_id: toolId(part.callId),
    content: content.length === 0 ? undefined : content,
    is_error: part.isError,
    ...writeCacheControl(part),
  });
  return [result];
}

/** The API allows only letters, digits, `_` and `-` in ids. Other APIs allow more. */
function toolId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_');
}

function writeReasoning(part: Extract<Part, { type: 'reasoning' }>): JsonObject[] {
  const signature =
    part.signature === undefined ? undefined : signatureForProvider(part.signature, 'anthropic.messages');
  if (signature === undefined) return [];
  if (signature.startsWith(REDACTED)) {
    return [{ type: 'redacted_thinking', data: signature.slice(REDACTED.length) }];
  }
  return [{ type: 'thinking', thinking: part.text, signature }];
}

function writeSource(source: MediaSource): JsonObject {
  switch (source.kind) {
    case 'base64':
      return { type: 'base64', media_type: mediaTypeOf(source), data: source.data };
    case 'url':
      return { type: 'url', url: source.url };
    case 'text':
      return { type: 'text', media_type: 'text/plain', data: source.text };
    case 'file':
      return refuseTranslation('messages', 'a file that was uploaded to another provider is not known there');
    default:
      return assertNever(source);
  }
}

/** A document that is not PDF is sent as text. */
function asText(source: MediaSource): MediaSource {
  if (source.kind !== 'base64' || !source.mediaType.startsWith('text/')) return source;
  return { kind: 'text', text: Buffer.from(source.data, 'base64').toString('utf8') };
}

function writeToolChoice(request: NeutralRequest): JsonObject | undefined {
  const { tools, toolChoice, parallelToolCalls } = request;
  if (tools === undefined) return undefined;
  const single = parallelToolCalls === false;
  const choice = toolChoice ?? (single ? { type: 'auto' as const } : undefined);
  if (choice === undefined) return undefined;
  const written = writeChoice(choice);
  return single && choice.type !== 'none' ? { ...written, disable_parallel_tool_use: true } : written;
}
