import type { JsonObject } from '../../core/json.js';

/** What the mock model reads from a request in any API. */
export interface Prompt {
  model: string;
  /** The text of the user's last message. */
  lastUserText: string;
  /** The JSON Schema for the answer, where the request has one. */
  schema: JsonObject | undefined;
  /** Whether the temperature is high, which selects another answer to some questions. */
  bold: boolean;
  /** The number of words in the whole conversation, used as the number of tokens. */
  inputTokens: number;
  stream: boolean;
  /** Whether a stream ends with its usage. In Chat Completions the client has to ask for it. */
  streamUsage: boolean;
}

export interface Answer {
  text: string;
  inputTokens: number;
  outputTokens: number;
}

/** The text of a content field: a string, or a list with text parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (typeof part?.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join(' ');
}

/** Reads messages, which have `role` and `content` in all three APIs. */
export function readMessages(messages: unknown): { lastUserText: string; inputTokens: number } {
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  let lastUserText = '';
  let inputTokens = 0;
  for (const message of list as { role?: unknown; content?: unknown }[]) {
    const text = textOf(message?.content);
    inputTokens += countWords(text);
    if (message?.role === 'user' && text !== '') lastUserText = text;
  }
  return { lastUserText, inputTokens };
}

const BOLD_TEMPERATURE = 1.2;

export function isBold({ temperature }: JsonObject): boolean {
  return typeof temperature === 'number' && temperature >= BOLD_TEMPERATURE;
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
