import { readFile } from 'node:fs/promises';
import { readYaml } from '../config/yaml-document.js';
import { drainTimeMs } from '../core/drain-time.js';
import { isJsonObject, type JsonValue } from '../core/json.js';

/**
 * How long Envoy's drain waits for requests to the endpoints of a file, in milliseconds. A file that cannot be read, or has
 * mistakes, must not prevent the end: its time is that of an endpoint without `total_timeout_ms`.
 */
export async function drainTimeOfFile(file: string | undefined): Promise<number> {
  const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
  const { value } = readYaml(text, file ?? '');
  const endpoints = listOf(value, 'projects').flatMap((project) => listOf(project, 'endpoints'));
  return drainTimeMs(endpoints.map(totalTimeoutOf));
}

function listOf(value: JsonValue | undefined, key: string): JsonValue[] {
  const list = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : [];
}

function totalTimeoutOf(endpoint: JsonValue): number | undefined {
  const timeout = isJsonObject(endpoint) ? endpoint.total_timeout_ms : undefined;
  return typeof timeout === 'number' ? timeout : undefined;
}
