import { ApiError, call, callWhole, type Log } from '../api/client.ts';
import { uniqueKey } from '../api/unique-key.ts';
import { createSignal } from '../app/signal.ts';
import { tell } from '../app/toasts.tsx';
import type { Api } from '../generated/api.ts';
import { shownList } from '../logs/log-list.ts';
import { changed } from './undo.ts';

export type Patch = Api['PATCH /{project_uid}/log/{log_id}']['body'];
export type Signal = Api['POST /{project_uid}/feedback/{inference_log_id}']['body'];
export type Recorded = Api['GET /{project_uid}/logs/{id}/feedback']['answer']['data'][number];

/** A log in the state in which it was read. A change refers to its version. */
export interface Version {
  log: Log;
  etag: string | undefined;
}

/** Fires after a change to one log, by any part of the page. */
export const logChanged = createSignal<Version>();
export const feedbackChanged = createSignal<string>();

export async function readLog(projectUid: string, id: string, signal?: AbortSignal): Promise<Version> {
  const params = { project_uid: projectUid, id };
  const { data, etag } = await callWhole('GET /{project_uid}/logs/{id}', { params, signal });
  return { log: data, etag };
}

/**
 * Changes a log and offers to undo it. Where somebody else changed it since it was read, nothing is changed and the
 * newest state is shown. Rejects where it fails for another reason.
 */
export async function patchLog(before: Version, patch: Patch, what: string): Promise<boolean> {
  const after = await patchOnce(before, patch);
  if (after === undefined) return false;
  const inverse = Object.fromEntries(
    Object.keys(patch).map((name) => [name, changedField(before.log, name)]),
  ) as Patch;
  changed(what, async () => {
    if ((await patchOnce(after, inverse)) === undefined)
      throw new Error('somebody else has changed the log in the meantime.');
  });
  return true;
}

async function patchOnce({ log, etag }: Version, patch: Patch): Promise<Version | undefined> {
  const params = { project_uid: log.project_uid, log_id: log.id };
  try {
    const reply = await callWhole('PATCH /{project_uid}/log/{log_id}', {
      params,
      body: patch,
      headers: etag === undefined ? {} : { 'if-match': etag },
    });
    const version = { log: reply.data, etag: reply.etag };
    show(version);
    return version;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
    show(await readLog(log.project_uid, log.id));
    tell('Somebody else changed this log. You now see the newest version. Make your change again.', {
      tone: 'bad',
    });
    return undefined;
  }
}

function show(version: Version): void {
  shownList()?.replace(version.log);
  logChanged.tell(version);
}

function changedField(log: Log, name: string): unknown {
  return name === 'metadata_tags' ? log.tags : (log as unknown as Record<string, unknown>)[name];
}

/** Resolves with the id of the signal. With `what` a message says what was done and offers to undo it. */
export async function giveFeedback(
  log: Pick<Log, 'id' | 'project_uid'>,
  signal: Signal,
  what?: string,
): Promise<string> {
  const { id: logId, project_uid } = log;
  const params = { project_uid, inference_log_id: logId };
  const { id } = await call('POST /{project_uid}/feedback/{inference_log_id}', {
    params,
    body: signal,
    headers: { 'idempotency-key': uniqueKey() },
  });
  await refresh(project_uid, logId);
  if (what !== undefined) changed(what, () => removeFeedback(project_uid, logId, id));
  return id;
}

export async function removeFeedback(projectUid: string, logId: string, feedbackId: string): Promise<void> {
  const params = { project_uid: projectUid, id: logId, feedback_id: feedbackId };
  await call('DELETE /{project_uid}/logs/{id}/feedback/{feedback_id}', { params });
  await refresh(projectUid, logId);
}

async function refresh(projectUid: string, logId: string): Promise<void> {
  show(await readLog(projectUid, logId));
  feedbackChanged.tell(logId);
}
