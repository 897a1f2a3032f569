import { setTimeout } from 'node:timers/promises';
import type { ChangeStream, Document } from 'mongodb';
import type { Guarded } from './storage-errors.js';

const RETRY_MS = 500;

export interface Follower<Change extends Document> {
  open(): ChangeStream<Document, Change>;
  /** Called each time the stream is open. Earlier changes are not reported. */
  opened(): void;
  changed(change: Change): void;
  /** Called when the stream broke. It is opened again soon. */
  failed(error: unknown): void;
}

/** Follows a change stream until `signal` is aborted, reconnecting after outages. */
export async function followChanges<Change extends Document>(
  guarded: Guarded,
  follower: Follower<Change>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const stream = follower.open();
    const close = () => void stream.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      await guarded(() => follow(stream, follower));
    } catch (error) {
      if (signal.aborted) return;
      follower.failed(error);
    } finally {
      signal.removeEventListener('abort', close);
      await stream.close();
    }
    await setTimeout(RETRY_MS, undefined, { signal }).catch(() => {});
  }
}

/** Follows the stream until it fails, so it only ends by throwing. The first read opens the stream. */
async function follow<Change extends Document>(
  stream: ChangeStream<Document, Change>,
  follower: Follower<Change>,
): Promise<void> {
  const first = await stream.tryNext();
  follower.opened();
  if (first !== null) follower.changed(first);
  while (true) follower.changed(await stream.next());
}
