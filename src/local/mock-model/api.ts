import type { JsonObject } from '../../core/json.js';
import type { Answer, Prompt } from './prompt.js';

/** One wire API of the mock model. */
export interface MockApi {
  /** The end of the path, such as `/chat/completions`. */
  path: string;
  read(body: JsonObject): Prompt;
  /** The whole answer as JSON. */
  whole(prompt: Prompt, answer: Answer): JsonObject;
  /** The same answer as frames of a stream, in order. */
  frames(prompt: Prompt, answer: Answer): string[];
}

export function frame(data: unknown, event?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return event === undefined ? `data: ${text}\n\n` : `event: ${event}\ndata: ${text}\n\n`;
}

/** The fixed creation time of all answers, in epoch seconds, so that runs can be compared. */
export const CREATED = 1_767_225_600;
