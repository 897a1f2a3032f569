import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import type { RequestView } from '../dialect.js';
import { metadataForProvider } from './metadata.js';

function view(metadata: JsonObject | null, store: boolean): RequestView {
  return { model: 'm', stream: false, metadata, store, streamUsage: false, choiceCount: 1, parameters: {} };
}

const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']));

describe('metadataForProvider', () => {
  it.each<[string, JsonObject | null, boolean, JsonObject | undefined]>([
    ['nothing without `store`', { a: 'b' }, false, undefined],
    ['all with `store`', { a: 'b' }, true, { a: 'b' }],
    ['nothing where there is none', null, true, undefined],
    ['nothing with a value that is no string', { a: 1 }, true, undefined],
    ['nothing with a value that is too long', { a: 'x'.repeat(513) }, true, undefined],
    ['all with a value that just fits', { a: 'x'.repeat(512) }, true, { a: 'x'.repeat(512) }],
    ['nothing with a key that is too long', { ['x'.repeat(65)]: '' }, true, undefined],
    ['nothing with too many pairs', many, true, undefined],
  ])('gives OpenAI %s', (_name, metadata, store, expected) => {
    expect(metadataForProvider(view(metadata, store), 'openai.chat')).toEqual(expected);
    expect(metadataForProvider(view(metadata, store), 'openai.responses')).toEqual(expected);
  });

  it.each<[JsonObject | null, JsonObject | undefined]>([
    [{ user_id: 'u', a: 'b' }, { user_id: 'u' }],
    [{ user_id: 3 }, undefined],
    [{ a: 'b' }, undefined],
    [null, undefined],
  ])('gives Anthropic of %j only the user', (metadata, expected) => {
    expect(metadataForProvider(view(metadata, true), 'anthropic.messages')).toEqual(expected);
  });
});
