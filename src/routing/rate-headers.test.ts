import { describe, expect, it } from 'vitest';
import { pauseAsked } from './rate-headers.js';

const NOW = Date.parse('2026-05-05T10:00:00Z');
const openai = (left: string, reset: string, kind = 'requests') => ({
  [`x-ratelimit-remaining-${kind}`]: left,
  [`x-ratelimit-reset-${kind}`]: reset,
});

describe('what a provider says of its own limits', () => {
  it.each([
    ['nothing', {}, undefined],
    ['something is left', openai('1', '6m0s'), undefined],
    ['no requests are left', openai('0', '17s'), 17_000],
    ['no tokens are left', openai('0', '1m30.5s', 'tokens'), 90_500],
    ['less than a second', openai('0', '350ms'), 350],
    ['seconds without a unit', openai('0', '2'), 2_000],
    [
      'a moment of Anthropic',
      {
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-05-05T10:00:12Z',
      },
      12_000,
    ],
    [
      'a moment that is over',
      {
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-05-05T09:00:00Z',
      },
      undefined,
    ],
    ['words', openai('none', 'soon'), undefined],
    ['no time', openai('0', 'soon'), undefined],
  ])('is read: %s', (_what, headers, pause) => {
    expect(pauseAsked(headers as Record<string, string>, NOW)).toBe(pause);
  });
});
