import type { Pool } from 'undici';
import type { JsonValue } from '../../core/json.js';
import { parseJsonInSteps } from '../../core/pacing/json-in-pieces.js';
import { inTurns } from '../../core/pacing/steps.js';
import { PluginFault } from '../contract/fault.js';

const LARGEST_ANSWER_BYTES = 1_048_576;
const CONNECTIONS = 64;
const KEEP_ALIVE_MS = 30_000;

/** Posts JSON text to one URL. Rejects with a `PluginFault` for anything but a 2xx answer with JSON. */
export type JsonPost = (
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<JsonValue>;

/**
 * Creates a function that posts to `url`. Connections are kept alive between calls. Redirects are not followed, so
 * that no text goes elsewhere.
 */
export function createJsonPost(url: string): JsonPost {
  const target = new URL(url);
  const opened = openPool(target.origin);
  return async (body, headers, signal) => {
    const pool = await opened;
    const response = await pool.request({
      method: 'POST',
      path: target.pathname + target.search,
      headers: { accept: 'application/json', ...headers, 'content-type': 'application/json' },
      body,
      signal,
    });
    if (response.statusCode < 200 || response.statusCode > 299) {
      await response.body.dump();
      throw new PluginFault(`${target.host} answered ${response.statusCode}`);
    }
    return readJson(await response.body.text(), target.host);
  };
}

/** undici takes 6 MiB, so it is only loaded where a configuration makes calls. */
async function openPool(origin: string): Promise<Pool> {
  const { Pool } = await import('undici');
  return new Pool(origin, {
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: LARGEST_ANSWER_BYTES,
  });
}

/** An answer without a body counts as an empty object. */
async function readJson(text: string, host: string): Promise<JsonValue> {
  if (text.trim() === '') return {};
  const value = await inTurns(parseJsonInSteps(text));
  if (value === undefined) throw new PluginFault(`${host} did not answer with JSON`);
  return value;
}
