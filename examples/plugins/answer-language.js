import { definePlugin, recordTexts } from 'sluice/plugin';

/**
 * Adds the language of the answer as a tag, such as `answer-language:de`, once the client has its answer.
 *
 *   plugins: ["./answer-language.js"]
 *   …
 *       plugins: [{ plugin: answer_language, config: { fewest_words: 3 } }]
 */
export default definePlugin({
  name: 'answer_language',
  description: 'Tags a log with the language of its answer.',
  configSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      fewest_words: {
        description: 'Known small words that an answer must have more of in one language than in the others.',
        type: 'integer',
        minimum: 1,
        default: 2,
      },
    },
  },

  log: ({ config, record }) => {
    const answer = recordTexts({ ...record, request: null }).map(({ text }) => text);
    const language = languageOf(answer.join(' '), config.fewest_words);
    if (language === undefined) return {};
    return { addTags: [`answer-language:${language}`], annotations: { language } };
  },
});

/** Small words that one of these languages has and the others do not. */
const SMALL_WORDS = {
  de: ['und', 'der', 'die', 'das', 'ist', 'nicht', 'ein', 'eine', 'mit', 'auf', 'für', 'ich', 'Sie'],
  en: ['the', 'and', 'is', 'of', 'to', 'you', 'that', 'it', 'for', 'with', 'are', 'this'],
  es: ['el', 'los', 'las', 'una', 'por', 'con', 'para', 'está', 'pero', 'muy', 'su', 'y'],
  fr: ['le', 'les', 'des', 'une', 'est', 'pas', 'pour', 'vous', 'dans', 'avec', 'sur', 'et'],
};

/**
 * @param {string} text
 * @param {number} fewestWords
 */
function languageOf(text, fewestWords) {
  const words = new Set(text.toLowerCase().match(/\p{L}+/gu) ?? []);
  const counts = Object.entries(SMALL_WORDS)
    .map(([language, small]) => ({
      language,
      count: small.filter((word) => words.has(word.toLowerCase())).length,
    }))
    .sort((a, b) => b.count - a.count);
  const [first, second] = counts;
  if (first === undefined || second === undefined) return undefined;
  return first.count - second.count >= fewestWords ? first.language : undefined;
}
