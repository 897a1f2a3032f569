import { describe, expect, it } from 'vitest';
import { mistakesOf, withEndpoint, withProvider } from '../../test/support/parse-config.js';

describe('a mistake in limits, weights or prices is reported with its line and reason', () => {
  const endpoint = 'projects[0].endpoints[0]';
  it.each([
    ['cache: { scope: key }', `${endpoint}.cache`, 'ttl_s'],
    ['cache: { ttl_s: 0 }', `${endpoint}.cache.ttl_s`, 'expected at least 1, found 0'],
    ['cache: { ttl_s: 3000000 }', `${endpoint}.cache.ttl_s`, 'expected at most 2592000'],
    [
      'cache: { ttl_s: 9, scope: all }',
      `${endpoint}.cache.scope`,
      'expected one of key, project, found "all"',
    ],
    ['cache: { ttl_s: 9, shared: true }', `${endpoint}.cache.shared`, 'each engine has a cache of its own'],
    ['cache: { ttl_s: 9, vary_by: locale }', `${endpoint}.cache.vary_by`, 'expected a list, found "locale"'],
    ['cache: { ttl: 9 }', `${endpoint}.cache.ttl_s`, 'missing; expected a whole number'],
    [
      'sticky: { by: [session] }',
      `${endpoint}.sticky.by[0]`,
      'expected "conversation", "metadata." and a key',
    ],
    ['sticky: { by: [] }', `${endpoint}.sticky.by`, 'must not be empty'],
    ['sticky: { by: ["header.a b"] }', `${endpoint}.sticky.by[0]`, 'or "header." and a name'],
    ['first_token_timeout_ms: 0', `${endpoint}.first_token_timeout_ms`, 'expected at least 1, found 0'],
    [
      'first_token_timeout_ms: 70000',
      `${endpoint}.first_token_timeout_ms`,
      'the first text may take longer (70000) than one try (timeout_ms: 60000)',
    ],
  ])('%s', (line, path, reason) => {
    const [mistake] = mistakesOf(withEndpoint(line));
    expect(mistake).toMatch(/^sluice\.yaml:9:\d+ /);
    expect(mistake).toContain(` ${path}`);
    expect(mistake).toContain(reason);
  });

  it.each([
    ['max_concurrent: 0', 'providers.local.max_concurrent', 'expected at least 1, found 0'],
    ['queue_ms: 100', 'providers.local.queue_ms', '`queue_ms` has no effect without `max_concurrent`'],
    ['max_concurrent: 1, queue_ms: -1', 'providers.local.queue_ms', 'expected at least 0, found -1'],
    ['max_concurent: 1', 'providers.local.max_concurent', 'did you mean "max_concurrent"?'],
  ])('%s', (fields, path, reason) => {
    const [mistake] = mistakesOf(withProvider(`api: openai, base_url: "http://h/v1", ${fields}`));
    expect(mistake).toMatch(/^sluice\.yaml:2:\d+ /);
    expect(mistake).toContain(` ${path}: `);
    expect(mistake).toContain(reason);
  });

  it.each([
    ['limit_webhook: { url: "ftp://h/x" }', 'projects[0].limit_webhook.url', 'http'],
    ['limit_webhook: {}', 'projects[0].limit_webhook', 'url'],
    [
      'limit_webhook: { url: "http://h/x", hmac_key_env: NOT_SET }',
      'projects[0].limit_webhook.hmac_key_env',
      'NOT_SET',
    ],
    [
      'limits: [{ per: key, cost_usd: 0, window: day }]',
      'projects[0].limits[0].cost_usd',
      'expected more than 0',
    ],
    ['limits: [{ per: key, requests: 1.5, window: day }]', 'projects[0].limits[0].requests', 'whole number'],
    ['limits: [{ per: key, requests: 1, window: week }]', 'projects[0].limits[0].window', 'found "week"'],
    [
      'limits: [{ per: key, requests: 1, window: day, action: block }]',
      'projects[0].limits[0].action',
      'expected one of reject, fallback, warn, found "block"',
    ],
  ])('%s', (line, path, reason) => {
    const [mistake] = mistakesOf(withEndpoint('').replace('name: demo', `name: demo\n    ${line}`));
    expect(mistake).toMatch(/^sluice\.yaml:6:\d+ /);
    expect(mistake).toContain(` ${path}`);
    expect(mistake).toContain(reason);
  });
});
