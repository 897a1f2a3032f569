import { type Answer, ApiError, call } from '../api/client.ts';
import { tell } from '../app/toasts.tsx';
import type { Api } from '../generated/api.ts';
import { filterBody } from '../logs/filter.ts';
import { forgetList } from '../logs/log-list.ts';
import { formatCount, plural } from '../ui/format.ts';
import { changed } from './undo.ts';

type BulkBody = Api['POST /{project_uid}/logs/bulk']['body'];
export type BulkChange = Omit<BulkBody, 'ids' | 'filter' | 'undoable'>;
export type Target = { ids: string[] } | { filter: URLSearchParams };
export type Job = Answer<'GET /{project_uid}/jobs/{job_id}'>;
type Skipped = NonNullable<Job['skipped']>;
export type Progress = (job: Job) => void;

const ASK_AGAIN_MS = 500;

/**
 * Changes many logs and offers to undo it. Shows the progress where it takes long. Resolves with the result in words.
 */
export async function changeMany(
  projectUid: string,
  target: Target,
  change: BulkChange,
  onProgress: Progress,
): Promise<string> {
  const which = 'ids' in target ? { ids: target.ids } : { filter: filterBody(target.filter) };
  const answer = await call('POST /{project_uid}/logs/bulk', {
    params: { project_uid: projectUid },
    body: { ...which, ...change, undoable: true } as BulkBody,
  });
  const { matched, changed: count, skipped } = await result(projectUid, answer, onProgress);
  const changeId = answer.change_id;
  forgetList();
  const words = `${plural(count, 'log')} of ${formatCount(matched)} changed.${wordsOfSkipped(skipped)}`;
  if (count > 0 && changeId !== undefined) changed(words, () => takeBack(projectUid, changeId));
  else tell(words);
  return words;
}

const OVER_LIMIT = {
  feedback: 'have all the feedback that they may have',
  tags: 'would have too many tags',
  metadata: 'would have too much metadata',
};

function wordsOfSkipped(skipped: Skipped = {}): string {
  const parts = Object.keys(OVER_LIMIT) as (keyof typeof OVER_LIMIT)[];
  return parts
    .filter((part) => skipped[part] !== undefined)
    .map((part) => ` ${formatCount(skipped[part]!)} ${OVER_LIMIT[part]}.`)
    .join('');
}

async function takeBack(projectUid: string, changeId: string): Promise<void> {
  const answer = await call('POST /{project_uid}/logs/bulk/{change_id}/undo', {
    params: { project_uid: projectUid, change_id: changeId },
  });
  await result(projectUid, answer, () => {});
  forgetList();
}

async function result(
  projectUid: string,
  answer: { matched?: number; changed?: number; skipped?: Skipped; job_id?: string },
  onProgress: Progress,
): Promise<{ matched: number; changed: number; skipped?: Skipped }> {
  const { matched = 0, changed: count = 0, skipped } = answer;
  if (answer.job_id === undefined) return { matched, changed: count, ...(skipped && { skipped }) };
  const params = { project_uid: projectUid, job_id: answer.job_id };
  for (;;) {
    const job = await readJob(params);
    if (job !== undefined) onProgress(job);
    if (job?.state === 'failed') throw new Error(job.error ?? 'The change failed.');
    if (job?.state === 'done') return job;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/**
 * The job; undefined while the service does not answer. The job continues, and its end is shown when the service
 * answers again.
 */
async function readJob(params: { project_uid: string; job_id: string }): Promise<Job | undefined> {
  try {
    return await call('GET /{project_uid}/jobs/{job_id}', { params });
  } catch (error) {
    if (error instanceof ApiError && (error.status === 0 || error.status === 503)) return undefined;
    throw error;
  }
}

export async function countLogs(projectUid: string, filter: URLSearchParams, signal: AbortSignal) {
  return call('GET /{project_uid}/logs/count', {
    params: { project_uid: projectUid },
    query: filter,
    signal,
  });
}
