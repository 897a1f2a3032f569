import type { JsonObject } from '../../core/json.js';
import type { RequestView } from '../dialect.js';

const NUMBERS = [
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'frequency_penalty',
  'presence_penalty',
  'seed',
];

/** A request with more stop sequences than any provider accepts is cut to this number. */
const MOST_STOPS = 100;

/** The sampling settings of a request by their telemetry names. `renamed` lists those with another name in the body. */
export function samplingParameters(
  body: JsonObject,
  renamed: JsonObject = {},
): Record<string, number | string | string[]> {
  const found: Record<string, number | string | string[]> = {};
  for (const name of NUMBERS) {
    const value = name in renamed ? renamed[name] : body[name];
    if (typeof value === 'number') found[name] = value;
  }
  const stop = ('stop_sequences' in renamed ? renamed : body).stop_sequences;
  if (typeof stop === 'string') found.stop_sequences = [stop];
  else if (Array.isArray(stop)) {
    found.stop_sequences = stop.slice(0, MOST_STOPS).filter((entry) => typeof entry === 'string');
  }
  return found;
}

/** The most tokens that one answer may have, where the request says so. */
export function maxOutputTokens({ parameters }: Pick<RequestView, 'parameters'>): number | undefined {
  const { max_tokens: most } = parameters;
  return typeof most === 'number' ? most : undefined;
}
