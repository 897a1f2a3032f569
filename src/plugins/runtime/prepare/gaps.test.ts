import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../core/clock.js';
import type { JsonObject } from '../../../core/json.js';
import type { PluginEntry } from '../../../core/settings.js';
import { BUILT_IN_PLUGINS } from '../../index.js';
import { createPluginHost } from '../host.js';
import { gapsOf } from './gaps.js';

const host = createPluginHost({ plugins: BUILT_IN_PLUGINS, clock: systemClock });

function entryOf(plugin: string, config: JsonObject, more: Partial<PluginEntry> = {}): PluginEntry {
  return {
    plugin,
    phases: [],
    config,
    timeout_ms: 1_000,
    isolate: false,
    mode: 'enforce' as const,
    sample: 1,
    ...more,
  };
}

function gapsIn(...entries: PluginEntry[]): [number, string][] {
  const result = host.prepare(entries);
  if ('mistakes' in result) throw new Error(JSON.stringify(result.mistakes));
  return gapsOf(result.plugins).map(({ index, message }) => [index, message]);
}

const gaps = (...given: Parameters<typeof entryOf>) =>
  gapsIn(entryOf(...given)).map(([, message]) => message);

const presidio = { engine: 'presidio', presidio_url: 'http://127.0.0.1:1' };
const webhook = { url: 'http://127.0.0.1:1' };

describe('a guard that can be circumvented', () => {
  it.each<[string, string, JsonObject, Partial<PluginEntry>, RegExp]>([
    ['pii_detection that allows errors', 'pii_detection', {}, { on_error: 'allow' }, /too long/],
    ['pii_detection by Presidio', 'pii_detection', presidio, {}, /cannot be reached/],
    ['pii_detection on logs alone', 'pii_detection', {}, { phases: ['log'] }, /nothing can be rejected/],
    ['a webhook', 'webhook', webhook, {}, /fails or is late/],
    ['one that sees a sample alone', 'pii_detection', {}, { sample: 0.25 }, /75 % of requests/],
  ])('is reported for %s', (_case, plugin, config, more, message) => {
    expect(gaps(plugin, config, more)).toEqual([expect.stringMatching(message)]);
  });

  it.each<[string, string, JsonObject, Partial<PluginEntry>]>([
    ['pii_detection as it is by default', 'pii_detection', {}, {}],
    ['pii_detection that only notes', 'pii_detection', { reject_on_detection: false }, { on_error: 'allow' }],
    ['pii_detection by Presidio that is closed', 'pii_detection', presidio, { on_error: 'reject' }],
    ['a webhook that is closed', 'webhook', webhook, { on_error: 'reject' }],
    ['one that is to observe', 'pii_detection', {}, { on_error: 'allow', mode: 'observe' }],
    ['a webhook on logs', 'webhook', webhook, { phases: ['log'] }],
  ])('is not reported for %s', (_case, plugin, config, more) => {
    expect(gaps(plugin, config, more)).toEqual([]);
  });
});

describe('a guard of answers behind one that masks reversibly', () => {
  const reversible = { reject_on_detection: false, mask: 'reversible' };
  const inAnswers = { phases: ['response' as const] };
  const masking = entryOf('pii_detection', { reject_on_detection: false, mask: true }, inAnswers);
  const rejecting = entryOf('pii_detection', {}, inAnswers);
  const both = entryOf('pii_detection', reversible);

  it('does not see what that one finds in an answer', () => {
    for (const later of [masking, rejecting])
      expect(gapsIn(both, later)).toEqual([[1, expect.stringContaining("'phases: [request]'")]]);
  });

  it('sees it where that one runs on requests alone, stands behind it, only observes, or is another plugin', () => {
    expect(gapsIn(entryOf('pii_detection', reversible, { phases: ['request'] }), masking)).toEqual([]);
    expect(gapsIn(masking, both)).toEqual([]);
    expect(gapsIn(entryOf('pii_detection', reversible, { mode: 'observe' }), masking)).toEqual([]);
    expect(gapsIn(both, entryOf('secrets_detection', {}, inAnswers))).toEqual([]);
  });
});
