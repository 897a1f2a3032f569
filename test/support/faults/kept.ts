import type { Document } from 'mongodb';
import { waitFor } from '../../../src/local/processes/wait.js';
import { PROJECT } from '../gateway.js';
import type { Sluice } from '../start-sluice.js';
import type { Given } from './load.js';

const BATCH = 1_000;
/** The transaction of a killed engine locks its logs for ten seconds, even on a quiet machine. */
const PATIENCE_MS = 60_000;

/** One line for each promised item that is not in MongoDB exactly once; empty where everything is kept. */
export async function notKept({ database }: Pick<Sluice, 'database'>, given: Given): Promise<string[]> {
  const problems: string[] = [];
  const answers = [...given.answers];
  for (let from = 0; from < answers.length; from += BATCH) {
    const batch = new Map(answers.slice(from, from + BATCH));
    const feedbackIds = [...batch.values()].flatMap((logId) => given.feedback.get(logId) ?? []);
    // Logs are found by the client's own id, so that one answer with two logs is noticed.
    const which = { project_uid: PROJECT, client_request_id: { $in: [...batch.keys()] } };
    const logs = await database
      .collection('logs')
      .find(which)
      .project({ client_request_id: 1, feedback_count: 1 })
      .toArray();
    const signals = await database
      .collection<{ _id: string; log_id: string }>('feedback')
      .find({ _id: { $in: feedbackIds } })
      .toArray();
    problems.push(...problemsOf(batch, given.feedback, logs, new Set(signals.map(({ _id }) => _id))));
  }
  return problems;
}

function problemsOf(
  answers: Map<string, string>,
  feedback: Map<string, string>,
  logs: Document[],
  signals: Set<string>,
): string[] {
  const byRequest = new Map<string, Document[]>();
  for (const log of logs) {
    byRequest.set(log.client_request_id, [...(byRequest.get(log.client_request_id) ?? []), log]);
  }
  return [...answers].flatMap(([requestId, logId]) => {
    const found = byRequest.get(requestId) ?? [];
    if (found.length !== 1 || found[0]!._id !== logId) return `log ${logId} is there ${found.length} times`;
    const feedbackId = feedback.get(logId);
    if (feedbackId === undefined) return [];
    if (!signals.has(feedbackId)) return `feedback ${feedbackId} on ${logId} is not there`;
    const count = found[0]!.feedback_count;
    return count === 1 ? [] : `log ${logId} counts ${count} feedback signals instead of 1`;
  });
}

/** Resolves once everything is kept. Rejects with a list of what is missing where that takes too long. */
export async function untilKept(sluice: Pick<Sluice, 'database'>, given: Given): Promise<void> {
  await waitFor(
    'everything that was given is kept',
    async () => {
      const problems = await notKept(sluice, given);
      if (problems.length > 0) throw new Error(`${problems.length}: ${problems.slice(0, 5).join('; ')}`);
      return true;
    },
    { timeoutMs: PATIENCE_MS, intervalMs: 100 },
  );
}
