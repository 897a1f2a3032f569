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

export type Choice = 'left' | 'right' | 'tie' | 'both_bad';

/** What was chosen, with the models, which the reader did not see before. */
export function describeChoice(choice: Choice, { left, right }: Comparison): string {
  if (left.model === right.model) {
    const words = { left: 'You preferred the left answer', right: 'You preferred the right answer' };
    const both = { tie: 'A tie', both_bad: 'Both bad' };
    return `${{ ...words, ...both }[choice]}. Both are by ${left.model}.`;
  }
  switch (choice) {
    case 'left':
      return `You preferred ${left.model} to ${right.model}.`;
    case 'right':
      return `You preferred ${right.model} to ${left.model}.`;
    case 'tie':
      return `A tie between ${left.model} and ${right.model}.`;
    case 'both_bad':
      return `Both bad: ${left.model} and ${right.model}.`;
  }
}
