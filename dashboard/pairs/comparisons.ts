import type { Log } from '../api/client.ts';
import { answerText } from '../log/conversation.ts';

export interface Comparison {
  left: Log;
  right: Log;
}

interface Group {
  logs: Log[];
  /** Pairs of log ids that the reader has judged already. */
  judged?: string[][];
}

/**
 * Pairs to judge: for each prompt the newest answer with each different one. Equal answers are left out, since they
 * teach nothing, and so are judged pairs. The ids decide which answer is on the left, so that the newer model is not
 * always on the same side.
 */
export function comparisons(groups: readonly Group[]): Comparison[] {
  return groups.flatMap(({ logs, judged = [] }) => {
    const byText = new Map<string, Log>();
    for (const log of logs) if (!byText.has(answerText(log))) byText.set(answerText(log), log);
    const [first, ...others] = byText.values();
    return others
      .filter((other) => !judged.some((pair) => pair.includes((first as Log).id) && pair.includes(other.id)))
      .map((other) => inDrawnOrder(first as Log, other));
  });
}

/**
 * Decides which answer is on the left. The same two logs always give the same order, which is as good as random,
 * because the last letters of an id are random.
 */
function inDrawnOrder(one: Log, other: Log): Comparison {
  const sum = [...one.id.slice(-6), ...other.id.slice(-6)].reduce(
    (total, letter) => total + letter.charCodeAt(0),
    0,
  );
  return sum % 2 === 0 ? { left: one, right: other } : { left: other, right: one };
}
