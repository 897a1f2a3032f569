import { TermList } from '../../pii/lists.js';
import { normalizeSteps, originalSpan } from '../../pii/normalize.js';
import { PiiOptionsError } from '../../pii/types.js';
import { ConfigMistake } from '../host/config-mistake.js';
import type { Found, TextScanner } from '../text-guard/found.js';
import type { TextRule, TextRulesConfig } from './config.js';

export const RULES_SCANNER = 'text-rules';

const BETWEEN_SLASHES = /^\/.+\/[a-z]*$/s;

/** Finds what each rule matches, in the roles of a message or not: that is the plugin's to say, who knows the place. */
export function createRulesScanner({ rules }: Pick<TextRulesConfig, 'rules'>): TextScanner {
  const lists = rules.map((rule, index) => ({
    index,
    list: listOf(rule, index),
    ofWords: rule.words !== undefined,
  }));
  const readsWords = lists.some(({ ofWords }) => ofWords);
  return {
    *scan(text) {
      const found: Found[] = [];
      // A word is the same with another blank or accent in it. A pattern sees the text as it is.
      const read = readsWords ? yield* normalizeSteps(text) : { text };
      for (const { index, list, ofWords } of lists) {
        for (const { start, end } of yield* list.matches(ofWords ? read.text : text)) {
          const span = ofWords ? originalSpan(read, start, end, text) : ([start, end] as const);
          found.push(toFound(...span, index));
        }
      }
      return found.sort((a, b) => a.start - b.start || b.end - a.end);
    },
  };
}

/** As an entry of a list: patterns stand between slashes there, as they may in a rule. */
export function entriesOf({ words, pattern = '' }: TextRule): string[] {
  return words ?? [BETWEEN_SLASHES.test(pattern) ? pattern : `/${pattern}/`];
}

function listOf(rule: TextRule, index: number): TermList {
  const path = `/rules/${index}/${rule.words === undefined ? 'pattern' : 'words'}`;
  try {
    return new TermList(entriesOf(rule), path);
  } catch (error) {
    if (!(error instanceof PiiOptionsError)) throw error;
    // The list tells which of its entries it was; a pattern is its rule's only one.
    const place = rule.words === undefined ? path : error.path.replace(/\[(\d+)\]$/, '/$1');
    throw new ConfigMistake(place, error.message);
  }
}

/** The rule's number, counted from 1, is what the log says of why. */
function toFound(start: number, end: number, index: number): Found {
  return { type: 'TEXT_RULE', start, end, score: 1, explanation: { rule: index + 1 } };
}
