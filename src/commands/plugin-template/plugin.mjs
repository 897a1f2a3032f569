import { definePlugin, messageTexts, pass, reject } from 'sluice/plugin';

/** Rejects requests with words that the operator denies, and hides them in answers. */
export default definePlugin({
  name: 'NAME',
  description: 'Rejects and hides words.',

  // The schema of `config` in sluice.yaml. A URL that the plugin calls is a string with `format: 'uri'` and
  // `'x-sluice-called': true`. A secret is a string with `writeOnly: true`.
  configSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['words'],
    properties: {
      words: {
        description: 'Whole words, in any case.',
        type: 'array',
        minItems: 1,
        items: { type: 'string', minLength: 1, maxLength: 100 },
      },
    },
  },

  // Called once for each configuration. An error that it throws is a mistake in sluice.yaml; its result is `config`
  // below.
  prepare: ({ words }) => {
    const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return { pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu') };
  },

  request: ({ config, messages }) => {
    const denied = messageTexts(messages).some(({ text }) => text.search(config.pattern) !== -1);
    return denied ? reject('Please say it in other words.', { code: 'NAME' }) : pass();
  },

  // A stream flows with a delay of 128 UTF-16 units, which must be longer than the longest word.
  stream: { window: 128 },
  responseWindow: ({ config, text }) => {
    const spans = [...text.matchAll(config.pattern)].map(({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
      replacement: '***',
    }));
    return spans.length === 0 ? pass() : { action: 'replace', spans };
  },
});
