/** Makes recognizers from the rows of identifiers that begin with a run of letters or digits. */
import { type CodePattern, CodeRecognizer } from '../../codes.js';
import type { CodeRow } from '../../identifiers/rows.js';
import { lean } from '../../patterns/lean.js';
import type { EntityType } from '../../types.js';
import { checkOf } from './check.js';
import { isInRow } from './checks/cards.js';

export function codeRecognizer({ type, check, words, patterns, ...rest }: CodeRow): CodeRecognizer {
  const made = patterns.map(
    ({ pattern, anyCase, before, notInRow, ...more }): CodePattern => ({
      ...more,
      regex: new RegExp(pattern, `${anyCase ? 'i' : ''}${pattern.includes('\\p{') ? 'u' : ''}y`),
      ...(notInRow && { isOther: isInRow }),
      ...(before !== undefined && { before: lean(before, 'iu') }),
    }),
  );
  return new CodeRecognizer({
    ...rest,
    entityType: type as EntityType,
    patterns: made,
    validate: checkOf(check),
    context: words,
  });
}
