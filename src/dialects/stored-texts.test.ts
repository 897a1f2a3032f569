import { describe, expect, it } from 'vitest';
import type { DialectId } from '../core/dialect-ids.js';
import { conversationOf, recordTexts, recordTextsInSteps, searchTexts } from './stored-texts.js';

/* For APIs of conversations the shared suite in test/properties asks more. */

describe('the log of a request with plain texts', () => {
  it.each<[DialectId, object, object, string[]]>([
    [
      'openai.completions',
      { model: 'm', prompt: 'Once' },
      { choices: [{ text: ' upon' }] },
      ['Once', ' upon'],
    ],
    ['openai.embeddings', { input: ['a b', 'c d'] }, { vectors: { count: 2 } }, ['a b', 'c d']],
    ['openai.moderations', { input: [{ type: 'text', text: 'bad' }] }, { results: [{}] }, ['bad']],
  ])('of %s has the texts', (api, request, response, texts) => {
    const log = { api, request, response } as never;
    expect(recordTexts(log).map(({ text }) => text)).toEqual(texts);
    expect([...searchTexts(log, 1000)].sort()).toEqual([...texts].sort());
  });

  it('with very many texts is searched in steps, so that other work runs between them', () => {
    const input = Array.from({ length: 60_000 }, (_, index) => `t${index}`);
    const steps = recordTextsInSteps({ api: 'openai.embeddings', request: { input }, response: {} });
    let count = 0;
    for (let step = steps.next(); ; step = steps.next(), count++) {
      if (!step.done) continue;
      expect(step.value).toHaveLength(60_000);
      break;
    }
    expect(count).toBeGreaterThan(120);
  });

  it('can be part of a pair only where the answer is a text', () => {
    expect(conversationOf('openai.completions', { prompt: 'Once' })).toEqual(['Once']);
    expect(conversationOf('openai.embeddings', { input: 'Once' })).toBeUndefined();
    expect(conversationOf('openai.moderations', { input: 'Once' })).toBeUndefined();
  });
});
