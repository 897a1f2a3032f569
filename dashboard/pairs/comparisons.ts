import type { Log } from '../api/client.ts';
import { answerText } from '../log/conversation.ts';

export interface Comparison {
  left: Log;
  right: Log;
}

interface Group {
  logs: Log[];
  /** Pairs of ids that the reader has judged. */
  judged?: string[][];
}

/**
 * For each prompt the newest answer beside each different one; equal answers teach nothing, and neither does a pair that
 * was judged already. Which one stands left is drawn by the ids, so that the newer model is not always on one side.
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

/** The same for the same two logs: the last letters of an id are random. */
function inDrawnOrder(one: Log, other: Log): Comparison {
  const sum = [...one.id.slice(-6), ...other.id.slice(-6)].reduce(
    (total, letter) => total + letter.charCodeAt(0),
    0,
  );
  return sum % 2 === 0 ? { left: one, right: other } : { left: other, right: one };
}
