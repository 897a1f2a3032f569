/**
 * Runs of capitalised words, with what joins them: `Bank of England`, `J. Smith`, `Aix-en-Provence`. Their first word
 * and their last, which tells what it is (`Kamerun Campaign`), and the words around them say much of each word in them.
 */
import { CLASS_LETTER, CLASS_UPPER, isJoinUnit } from './characters';
import { count, Token, tokenAt, unitAt } from './tokens';

/** Words of a run that are counted. */
const MOST_COUNTED = 6;

/** Marks for each token the run of capitals that it stands in. */
export function markRuns(): void {
  for (let i = 0; i < count; ) {
    const token = tokenAt(i);
    if (token.kind !== CLASS_UPPER) {
      markOutside(token, tokenAt(i - 1), tokenAt(i + 1));
      i++;
      continue;
    }
    let end = i + 1;
    while (end < count && continuesRun(end)) end++;
    while (end > i + 1 && tokenAt(end - 1).kind !== CLASS_UPPER) end--;
    markRun(i, end);
    i = end;
  }
}

function markOutside(token: Token, before: Token, behind: Token): void {
  token.before = before.word;
  token.after = behind.word;
  token.beforeCluster = before.cluster;
  token.afterCluster = behind.cluster;
  token.first = 0;
  token.last = 0;
  token.firstCluster = 0;
  token.lastCluster = 0;
  token.run = 0;
}

function markRun(from: i32, to: i32): void {
  const before = tokenAt(from - 1);
  const behind = tokenAt(to);
  const first = tokenAt(from);
  const last = tokenAt(to - 1);
  const length = min(to - from, MOST_COUNTED);
  for (let i = from; i < to; i++) {
    const token = tokenAt(i);
    token.before = before.word;
    token.after = behind.word;
    token.beforeCluster = before.cluster;
    token.afterCluster = behind.cluster;
    token.first = first.word;
    token.last = last.word;
    token.firstCluster = first.cluster;
    token.lastCluster = last.cluster;
    token.run = 1 + length * 3 + (i === from ? 0 : i === to - 1 ? 2 : 1);
  }
}

function continuesRun(i: i32): bool {
  const token = tokenAt(i);
  if (token.kind === CLASS_UPPER) return true;
  const before = tokenAt(i - 1);
  const unit = unitAt(token.start);
  if (isJoinUnit(unit)) return token.start === before.end;
  const followsInitial = unit === 0x2e && before.end - before.start <= 1;
  const isParticle = token.kind === CLASS_LETTER && token.end - token.start <= 3;
  return followsInitial || (isParticle && i + 1 < count && tokenAt(i + 1).kind === CLASS_UPPER);
}
