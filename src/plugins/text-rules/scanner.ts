import { type ListMatch, TermList } from '../../pii/lists.js';
import { PiiOptionsError } from '../../pii/types.js';
import { ConfigMistake } from '../host/config-mistake.js';
import type { Found, TextScanner } from '../text-guard/found.js';
import type { TextRule, TextRulesConfig } from './config.js';

export const RULES_SCANNER = 'text-rules';

const BETWEEN_SLASHES = /^\/.+\/[a-z]*$/s;

/** Finds what each rule matches, in the roles of a message or not: that is the plugin's to say, who knows the place. */
export function createRulesScanner({ rules }: Pick<TextRulesConfig, 'rules'>): TextScanner {
  const lists = rules.map((rule, index) => ({ index, list: listOf(rule, index) }));
  return {
    *scan(text) {
      const found: Found[] = [];
      for (const { index, list } of lists) {
        for (const match of yield* list.matches(text)) found.push(toFound(match, index));
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
function toFound({ start, end }: ListMatch, index: number): Found {
  return { type: 'TEXT_RULE', start, end, score: 1, explanation: { rule: index + 1 } };
}
