import { TermList } from '../../pii/lists.js';
import { PiiOptionsError } from '../../pii/types.js';
import { ConfigMistake } from '../contract/config-mistake.js';
import type { Found, TextScanner } from '../text-guard/found.js';
import { readingsOf } from '../text-guard/readings.js';
import type { TextRule, TextRulesConfig } from './config.js';

export const RULES_SCANNER = 'text-rules';

const BETWEEN_SLASHES = /^\/.+\/[a-z]*$/s;

/**
 * Finds what each rule matches in any text. The plugin checks for which roles a rule is meant, because it knows who
 * wrote the text.
 */
export function createRulesScanner({ rules }: Pick<TextRulesConfig, 'rules'>): TextScanner {
  const lists = rules.map((rule, index) => ({
    index,
    list: listOf(rule, index),
    ofWords: rule.words !== undefined,
  }));
  return {
    *scan(text) {
      const found = new Map<string, Found>();
      const { written, meant } = yield* readingsOf(text);
      // A pattern may also ask for what the other readings remove, such as a blank of no width.
      const forPatterns = [written, ...meant.filter((reading) => reading.text !== text)];
      for (const { index, list, ofWords } of lists) {
        for (const reading of ofWords ? meant : forPatterns) {
          for (const match of yield* list.matches(reading.text)) {
            const [start, end] = reading.span(match.start, match.end);
            found.set(`${index} ${start} ${end}`, toFound(start, end, index));
          }
        }
      }
      return [...found.values()].sort((a, b) => a.start - b.start || b.end - a.end);
    },
  };
}

/** The entries of the rule as a list has them: patterns stand between slashes there, as they may in a rule. */
export function entriesOf({ words, pattern = '' }: TextRule): string[] {
  return words ?? [BETWEEN_SLASHES.test(pattern) ? pattern : `/${pattern}/`];
}

function listOf(rule: TextRule, index: number): TermList {
  const path = `/rules/${index}/${rule.words === undefined ? 'pattern' : 'words'}`;
  try {
    return new TermList(entriesOf(rule), path);
  } catch (error) {
    if (!(error instanceof PiiOptionsError)) throw error;
    // The error says which entry of the list is wrong. A pattern is the only entry of its rule.
    const place = rule.words === undefined ? path : error.path.replace(/\[(\d+)\]$/, '/$1');
    throw new ConfigMistake(place, error.message);
  }
}

/** A finding, for which the log shows the number of the rule, counted from 1. */
function toFound(start: number, end: number, index: number): Found {
  return { type: 'TEXT_RULE', start, end, score: 1, explanation: { rule: index + 1 } };
}
