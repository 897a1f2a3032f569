import type { Exchange } from '../exchange/exchange.js';

/** UTF-16 units of a provider's words that a log has beside its answer. */
const MOST_MESSAGE = 4_096;
const MOST_CODE = 256;

/** What is said of an error event of a stream by who may not repeat it. */
export const STREAM_ERROR = 'The model told an error in its stream.';

export function statusMessage(status: number): string {
  return `The model answered with status ${status}.`;
}

/**
 * What a log says of a provider's error: its words. Some repeat the request, so a log without content has `instead` in
 * their place.
 */
export function loggedMessage({ endpoint }: Exchange, words: string, instead: string): string {
  return endpoint?.log_content === 'none' ? instead : clip(words, MOST_MESSAGE);
}

export function loggedCode(code: string): string {
  return clip(code, MOST_CODE);
}

function clip(text: string, units: number): string {
  return text.length <= units ? text : `${text.slice(0, units)}…`;
}
