import type { Log } from '../api/client.ts';
import { answerText } from '../log/conversation.ts';

export interface Comparison {
  left: Log;
  right: Log;
}

/** For each prompt the newest answer beside each different one; equal answers teach nothing. */
export function comparisons(groups: { logs: Log[] }[]): Comparison[] {
  return groups.flatMap(({ logs }) => {
    const byText = new Map<string, Log>();
    for (const log of logs) if (!byText.has(answerText(log))) byText.set(answerText(log), log);
    const [first, ...others] = byText.values();
    return others.map((other) => ({ left: first as Log, right: other }));
  });
}
