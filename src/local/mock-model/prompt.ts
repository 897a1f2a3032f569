import type { JsonObject } from '../../core/json.js';

/** What the mock model reads of a request, whatever API it came by. */
export interface Prompt {
  model: string;
  /** The last thing that the user said. */
  lastUserText: string;
  /** The schema that the answer shall follow, where one was given. */
  schema: JsonObject | undefined;
  /** Whether the temperature is high: it knows another answer to some questions. */
  bold: boolean;
  /** Words of the whole conversation: its measure of tokens. */
  inputTokens: number;
  stream: boolean;
  /** Chat Completions sends usage in a stream only when asked. */
  streamUsage: boolean;
}

export interface Answer {
  text: string;
  inputTokens: number;
  outputTokens: number;
}

/** The text of a content field: a string, or a list of parts of which some are text. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (typeof part?.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join(' ');
}

/** From messages as all three APIs have them: objects with `role` and `content`. */
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
