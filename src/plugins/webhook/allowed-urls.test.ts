import { expect, it } from 'vitest';
import type { PluginEntry } from '../../core/settings.js';
import { webhookUrlMistakes } from './allowed-urls.js';

function entry(url: string, plugin = 'webhook'): PluginEntry {
  return { plugin, phases: [], config: { url }, timeout_ms: 1, on_error: 'allow', isolate: false };
}

const allowed = ['https://hooks.example.com/team/', 'http://127.0.0.1:9000'];

it.each([
  'https://hooks.example.com/team/guard',
  'https://hooks.example.com/team/guard?a=b',
  'https://HOOKS.example.com:443/team/guard',
  'http://127.0.0.1:9000/any',
])('lets the API set %s', (url) => {
  expect(webhookUrlMistakes([entry(url)], allowed)).toEqual([]);
});

it.each([
  'https://hooks.example.com/other',
  'https://hooks.example.com/team/../other',
  'https://hooks.example.com.evil.example/team/guard',
  'https://hooks.example.com@evil.example/team/guard',
  'https://user:secret@hooks.example.com/team/guard',
  'http://hooks.example.com/team/guard',
  'http://127.0.0.1:90001/any',
  'http://127.0.0.1:9001/any',
  'no url',
])('does not let the API set %s', (url) => {
  expect(webhookUrlMistakes([entry('http://127.0.0.1:9000/'), entry(url)], allowed)).toMatchObject([
    { path: '/plugins/1/config/url' },
  ]);
});

it('allows nothing where nothing is allowed, and cares for webhooks alone', () => {
  expect(webhookUrlMistakes([entry('https://a.example/')], [])).toHaveLength(1);
  expect(webhookUrlMistakes([entry('https://a.example/', 'other')], [])).toEqual([]);
});
