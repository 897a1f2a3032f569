import { describe, expect, it } from 'vitest';
import { warningOf } from './follow-warnings.js';

describe('what a part warns of', () => {
  it.each([
    ['a warning of the engine', '{"level":40,"msg":"the disk is full"}', 'the disk is full'],
    [
      'mistakes of a changed configuration',
      '{"level":50,"mistakes":"sluice.yaml:2:3 unknown key","msg":"it stays"}',
      'it stays: sluice.yaml:2:3 unknown key',
    ],
    ['an error with its message', '{"level":50,"err":{"message":"refused"},"msg":"no"}', 'no: refused'],
    [
      'a request that failed',
      '{"level":40,"log_id":"a","code":"upstream_timeout","msg":"an exchange failed"}',
      'an exchange failed: upstream_timeout',
    ],
    ['an error of mongod', '{"s":"E","c":"STORAGE","msg":"WiredTiger error"}', 'WiredTiger error'],
    ['an error of Envoy', '[2026-01-01 10:00:00.000][12][critical][main] cannot bind', '[main] cannot bind'],
  ])('is printed for %s', (_name, line, told) => {
    expect(warningOf(line)).toBe(told);
  });

  it.each([
    ['information', '{"level":30,"msg":"ready"}'],
    ['a warning of mongod about its host', '{"s":"W","msg":"use XFS"}'],
    ['a line of another program', 'hello'],
    ['a line that was cut', '{"level":50,"ms'],
  ])('is not printed for %s', (_name, line) => {
    expect(warningOf(line)).toBeUndefined();
  });
});
