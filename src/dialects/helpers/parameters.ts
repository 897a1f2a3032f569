import type { JsonObject } from '../../core/json.js';

const NUMBERS = [
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'frequency_penalty',
  'presence_penalty',
  'seed',
];

/** The sampling settings of a request by their telemetry names, for a body that has them under these names. */
export function samplingParameters(body: JsonObject): Record<string, number | string | string[]> {
  const found: Record<string, number | string | string[]> = {};
  for (const name of NUMBERS) {
    const value = body[name];
    if (typeof value === 'number') found[name] = value;
  }
  const stop = body.stop_sequences;
  if (typeof stop === 'string') found.stop_sequences = [stop];
  else if (Array.isArray(stop)) found.stop_sequences = stop.filter((entry) => typeof entry === 'string');
  return found;
}
