import fc from 'fast-check';
import { expect, it } from 'vitest';
import { secretsDetection } from '../../src/plugins/secrets-detection/index.js';
import { textRules } from '../../src/plugins/text-rules/index.js';
import {
  cut,
  delta,
  joinedText,
  openGuarded,
  plainDialect,
  plainFrame,
  prepareGuard,
  sendInChunks,
} from './stream-guard-support.js';

/* Secrets, and words that an operator denies, in streams that are cut anywhere. */

const KEY = `sk_live_${'51H8xK2eZvKYlo2C9qPzT4rW'}`;

const PHRASE = 'the seventh blue falcon over the bay';

function escaped(text: string): string {
  return text.replace(/./g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const ROWS = [
  { name: 'secrets_detection', prepared: prepareGuard(secretsDetection), before: '', hidden: KEY },
  {
    name: 'secrets_detection, where a name says what follows,',
    prepared: prepareGuard(secretsDetection),
    before: '\ndb:\n  password: ',
    hidden: 'kR7mQ2xWp9',
  },
  {
    name: 'text_rules',
    prepared: prepareGuard(textRules, { rules: [{ words: ['blue falcon'], deny: true }] }),
    before: '',
    hidden: 'blue falcon',
  },
  {
    name: 'text_rules, where each letter of a long phrase is escaped,',
    prepared: prepareGuard(textRules, { rules: [{ words: [PHRASE], deny: true }] }),
    before: '',
    hidden: escaped(PHRASE),
  },
  {
    name: 'text_rules with a pattern, where blanks of no width stand between the letters,',
    prepared: prepareGuard(textRules, { rules: [{ pattern: `(?i)${PHRASE}`, deny: true }] }),
    before: '',
    hidden: [...PHRASE].join('\u200b\u200b\u200b'),
  },
];

it.each(ROWS)('$name hides the same in a stream, however it is cut', async ({ prepared, before, hidden }) => {
  const sentences = fc.constantFrom(
    `We use ${before}${hidden} for that. `,
    'The weather is fine and the report is done. ',
    'Look into the manual, then try again. ',
    '😀 éà ',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(sentences, { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      async (parts, sizes) => {
        const text = parts.join('');
        const frames = cut(text, sizes).map((piece) => plainFrame(delta(piece)));
        const received = await sendInChunks(frames, [4_096], openGuarded(prepared));
        const whole = await sendInChunks([plainFrame(delta(text))], [65_536], openGuarded(prepared));
        const joined = joinedText(received.frames, plainDialect);
        expect(joined).toBe(joinedText(whole.frames, plainDialect));
        expect(joined).not.toContain(hidden);
        expect(joined.includes('The weather is fine')).toBe(text.includes('The weather is fine'));
      },
    ),
    { numRuns: 40 },
  );
});
