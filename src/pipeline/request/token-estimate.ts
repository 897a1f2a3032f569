import type { Answer } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import type { JsonDocument } from '../../core/json.js';
import type { MediaSource, Part, ToolDefinition } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { Dialect } from '../../dialects/dialect.js';
import type { Exchange } from '../exchange/exchange.js';

/** Bytes of UTF-8 per token, for text in common languages. A tokenizer would take 200 ms to load, for an estimate. */
const BYTES_PER_TOKEN = 4;
/** The tokens of a message in addition to its text. */
const TOKENS_PER_MESSAGE = 4;

/** The tokens of a picture at the largest size that models use; smaller ones cost less. */
const TOKENS_PER_IMAGE = 1_600;
/** The approximate bytes of a PDF page in its file, and its tokens as text and as a picture. */
const BYTES_PER_PAGE = 50_000;
const TOKENS_PER_PAGE = 2_300;
const BASE64_BYTES = 3 / 4;

/** The estimated input tokens of a request. In steps, because messages are read. */
export function* estimateInput(dialect: Dialect, document: JsonDocument): Steps<number> {
  const messages = yield* dialect.readMessages(document);
  return (
    tokensOf(messages.map(({ parts }) => textOf(parts))) +
    messages.length * TOKENS_PER_MESSAGE +
    messages.reduce((sum, { parts }) => sum + mediaTokens(parts), 0) +
    tokensOf(dialect.readTools(document).tools.map(toolText))
  );
}

/** The text of a tool without its descriptions, which are counted among the messages. */
function toolText({ name, parameters }: ToolDefinition): string {
  const described = (key: string, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value;
  return JSON.stringify({ name, parameters }, described);
}

function mediaTokens(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => {
    if (part.type === 'image') return sum + TOKENS_PER_IMAGE;
    if (part.type === 'tool-result') return sum + mediaTokens(part.parts);
    return part.type === 'document' ? sum + documentTokens(part.source) : sum;
  }, 0);
}

/** Text documents are counted by their text. Nothing is known about a file that is elsewhere. */
function documentTokens(source: MediaSource): number {
  const bytes = source.kind === 'base64' ? source.data.length * BASE64_BYTES : 0;
  return source.kind === 'text' ? 0 : Math.max(1, Math.ceil(bytes / BYTES_PER_PAGE)) * TOKENS_PER_PAGE;
}

/**
 * An estimate from the answer's text, where the provider reported no usage. Some never do, and it is missing in a
 * stream that was cut off.
 */
export function* estimateUsage(exchange: Exchange, answer: Answer | undefined): Steps {
  const record = exchange.currentAttempt?.record;
  if (record === undefined || record.usage !== null || exchange.document === undefined) return;
  if (answer === undefined || (answer.choices.length === 0 && exchange.dialect.answers !== 'vectors')) return;
  record.usage = {
    input_tokens: yield* estimateInput(exchange.dialect, exchange.document),
    output_tokens: tokensOf(answer.choices.map(({ parts }) => textOf(parts))),
    estimated: true,
  };
}

function tokensOf(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / BYTES_PER_TOKEN);
}

function textOf(parts: readonly Part[]): string {
  return parts.map(partText).join(' ');
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return part.text;
    case 'tool-call':
      return `${part.name} ${part.arguments}`;
    case 'tool-result':
      return textOf(part.parts);
    case 'document':
      return part.source.kind === 'text' ? part.source.text : '';
    case 'image':
    case 'other':
      return '';
    default:
      return assertNever(part);
  }
}
