import type { Answer } from '../../core/answer.js';
import type { Message, Part } from '../../core/message.js';
import type { Exchange } from '../exchange.js';

/** Of UTF-8, for a token of text in the usual languages; a tokenizer would cost 200 ms to load, for an estimate. */
const BYTES_PER_TOKEN = 4;
/** What a message costs beside its text. */
const TOKENS_PER_MESSAGE = 4;

export function estimateInput(messages: readonly Message[]): number {
  return tokensOf(messages.map(({ parts }) => textOf(parts))) + messages.length * TOKENS_PER_MESSAGE;
}

/**
 * What the answer's text amounts to where its provider told no usage: some never do, and a stream that its client
 * left did not come to it.
 */
export function estimateUsage(exchange: Exchange, answer: Answer | undefined): void {
  const record = exchange.currentAttempt?.record;
  if (record === undefined || record.usage !== null || exchange.document === undefined) return;
  if (answer === undefined || (answer.choices.length === 0 && exchange.dialect.answers !== 'vectors')) return;
  record.usage = {
    input_tokens: estimateInput(exchange.dialect.readMessages(exchange.document)),
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
    default:
      return '';
  }
}
