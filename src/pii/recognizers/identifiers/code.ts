/** Makes recognizers from the rows of identifiers that begin with a run of letters or digits. */
import { type CodePattern, CodeRecognizer } from '../../codes.js';
import type { CodeRow } from '../../identifiers/rows.js';
import { lean } from '../../patterns/lean.js';
import { matchAt } from '../../patterns/matches-of.js';
import type { Block, Candidate, Run } from '../../recognizer.js';
import type { EntityType } from '../../types.js';
import { checkOf } from './check.js';
import { isInRow } from './checks/cards.js';
import { italianFiscalCode } from './checks/europe.js';

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
    beside:
      type === 'IT_FISCAL_CODE' ? (found, block) => mistypedCodes(made[0]!.regex, found, block) : undefined,
  });
}

/** A mistyped code counts only where a correct one is at most this many UTF-16 units away. */
const NEAR = 64;

/**
 * Finds fiscal codes with a wrong control letter near correct ones. In a list of codes they are mistyped and still
 * belong to people, so they become weak findings.
 */
function mistypedCodes(form: RegExp, found: readonly Candidate[], { text, runs }: Block): Candidate[] {
  return runs.flatMap((run) => {
    const right = found.find(({ start, end }) => Math.abs(run.start - start) < NEAR + (end - start));
    return (right && mistypedBeside(form, right, run, text)) ?? [];
  });
}

function mistypedBeside(form: RegExp, right: Candidate, run: Run, text: string): Candidate | undefined {
  const code = matchAt(form, text, run.start);
  if (code === undefined || italianFiscalCode(code)) return undefined;
  return {
    ...right,
    start: run.start,
    end: run.start + code.length,
    score: 0.3,
    baseScore: 0.3,
    validation: 'none',
    pattern: 'person, mistyped',
    reason: 'its check fails, but a correct code of the same type is near it',
  };
}
