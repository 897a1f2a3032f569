import type { Exchange } from '../exchange/exchange.js';

/** The most UTF-16 units of a provider's message that a log keeps beside its answer. */
const MOST_MESSAGE = 4_096;
const MOST_CODE = 256;

/** The message for an error event in a stream, where its own message may not be repeated. */
export const STREAM_ERROR = 'The model reported an error in its stream.';

export function statusMessage(status: number): string {
  return `The model answered with status ${status}.`;
}

/** A provider's error message for the log. Some messages repeat the request, so a log without content gets `instead`. */
export function loggedMessage({ endpoint }: Exchange, words: string, instead: string): string {
  return endpoint?.log_content === 'none' ? instead : clip(words, MOST_MESSAGE);
}

export function loggedCode(code: string): string {
  return clip(code, MOST_CODE);
}

function clip(text: string, units: number): string {
  return text.length <= units ? text : `${text.slice(0, units)}…`;
}
