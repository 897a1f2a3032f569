import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ErrorCode, SluiceError } from '../core/errors.js';
import type { JsonValue } from '../core/json.js';
import { GATEWAY_CALLS } from '../dialects/calls.js';
import { dialects } from '../dialects/index.js';
import { DIALECT_KEY, EXCHANGE_NAMESPACE, LOG_ID_KEY } from './names.js';

/*
 * Where the engine cannot answer, Envoy does, by the mappers of envoy/bootstrap.yaml. Each dialect of the list gets
 * its errors from there in the shape in which the engine writes them.
 */

interface Filter {
  and_filter?: { filters: Filter[] };
  status_code_filter?: { comparison: { value: { default_value: number } } };
  header_filter?: { header: { string_match: { contains?: string; safe_regex?: { regex: string } } } };
  response_flag_filter?: { flags: string[] };
  metadata_filter?: {
    matcher: { filter: string; path: { key: string }[]; value: { string_match: { exact: string } } };
  };
}

interface Mapper {
  filter: Filter;
  status_code: number;
  body_format_override: { json_format: JsonValue };
}

interface LocalReply {
  status: number;
  path: string;
  flags: string[];
  dialect?: string;
}

const TEMPLATE = new URL('../../envoy/bootstrap.yaml', import.meta.url);
const LOG_ID = '0197fd0e-0000-7000-8000-000000000001';

// The places to be filled in are strings or numbers; none of them stands in a mapper.
const bootstrap = parse(readFileSync(TEMPLATE, 'utf8').replace(/\$\{[A-Z_]+\}/g, '0'));
const { typed_config } = bootstrap.static_resources.listeners[0].filter_chains[0].filters[0];
const mappers: Mapper[] = typed_config.local_reply_config.mappers;

function matches(filter: Filter, reply: LocalReply): boolean {
  if (filter.and_filter) return filter.and_filter.filters.every((part) => matches(part, reply));
  if (filter.status_code_filter) {
    return filter.status_code_filter.comparison.value.default_value === reply.status;
  }
  if (filter.response_flag_filter) {
    return filter.response_flag_filter.flags.some((flag) => reply.flags.includes(flag));
  }
  if (filter.header_filter) {
    const { contains, safe_regex } = filter.header_filter.header.string_match;
    if (contains !== undefined) return reply.path.includes(contains);
    return new RegExp(`^(?:${safe_regex!.regex})$`).test(reply.path);
  }
  if (filter.metadata_filter) {
    const { filter: namespace, path, value } = filter.metadata_filter.matcher;
    expect([namespace, path]).toEqual([EXCHANGE_NAMESPACE, [{ key: DIALECT_KEY }]]);
    return value.string_match.exact === reply.dialect;
  }
  throw new Error(`a filter that this test does not know: ${JSON.stringify(filter)}`);
}

function replyOf(reply: LocalReply): { status: number; body: JsonValue } {
  const mapper = mappers.find(({ filter }) => matches(filter, reply))!;
  const text = JSON.stringify(mapper.body_format_override.json_format);
  const filled = text.replaceAll(`%DYNAMIC_METADATA(${EXCHANGE_NAMESPACE}:${LOG_ID_KEY})%`, LOG_ID);
  return { status: mapper.status_code, body: JSON.parse(filled) };
}

/** Where no engine knows of a request it has no log, and no member tells its id. */
function withoutLogId(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutLogId);
  const kept = Object.entries(value)
    .map(([key, member]) => [key, withoutLogId(member)] as const)
    .filter(([, member]) => member !== LOG_ID && member !== null && JSON.stringify(member) !== '{}');
  return Object.fromEntries(kept);
}

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('%s', (id, dialect) => {
  const written = (code: ErrorCode, message: string) =>
    JSON.parse(dialect.writeError(new SluiceError(code, message), LOG_ID)) as JsonValue;
  const calls = GATEWAY_CALLS.filter((call) => call.dialect === dialect);

  it.each(calls.map(({ method, path }) => [method, path]))(
    'is told at %s %s that the engine is away',
    (_method, path) => {
      const message = "The gateway's engine is not available. Try again.";
      const { status, body } = replyOf({ status: 511, path: `/project/${path}`, flags: [] });
      expect(status).toBe(503);
      expect(withoutLogId(body)).toEqual(withoutLogId(written('engine_unavailable', message)));
    },
  );

  it.each(['UC', 'UR', 'UPE'])('is told that a model broke off (%s)', (flag) => {
    const { status, body } = replyOf({ status: 502, path: '/v1/any', flags: [flag], dialect: id });
    expect(status).toBe(502);
    expect(body).toEqual(written('upstream_unavailable', 'The model broke off its answer.'));
  });
});
