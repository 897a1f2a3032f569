import type { Logger } from '../../core/logger.js';
import type { Collections } from '../mongodb/collections.js';
import { followChanges } from '../mongodb/follow-changes.js';

export interface NewLogListener {
  /** From now on every new log is reported. Earlier ones must be read from the list. */
  synced(): void;
  landed(id: string): void;
  /** New logs cannot be reported, because MongoDB does not answer. This lasts until `synced` is called. */
  lost(): void;
}

/** Reports new logs, whichever process writes them. One change stream serves all listeners. */
export interface NewLogs {
  /** Listens to a project until `signal` is aborted. */
  listen(projectUid: string, listener: NewLogListener, signal: AbortSignal): void;
}

interface Landing {
  _id: object;
  documentKey: { _id: string };
  fullDocument: { project_uid: string };
}

/** Only the id and project of each new log. */
const PIPELINE = [
  { $match: { operationType: 'insert' } },
  { $project: { 'documentKey._id': 1, 'fullDocument.project_uid': 1 } },
];

/** `collections` belong to a client whose commands may be silent for long. */
export function createNewLogs({ logs, guarded }: Collections, logger: Logger): NewLogs {
  const listeners = new Map<string, Set<NewLogListener>>();
  let following: { abort: AbortController; open: boolean; lost: boolean } | undefined;

  const start = () => {
    const own = { abort: new AbortController(), open: false, lost: false };
    following = own;
    const follower = {
      open: () => logs.watch<never, Landing>(PIPELINE),
      opened: () => {
        own.open = true;
        own.lost = false;
        for (const set of listeners.values()) for (const listener of set) listener.synced();
      },
      changed: ({ documentKey, fullDocument }: Landing) => {
        for (const listener of listeners.get(fullDocument.project_uid) ?? [])
          listener.landed(documentKey._id);
      },
      failed: (error: unknown) => {
        if (own.open) logger.warn({ err: error }, 'new logs cannot be followed; trying again');
        own.open = false;
        own.lost = true;
        for (const set of listeners.values()) for (const listener of set) listener.lost();
      },
    };
    // The driver's change stream has a type for each kind of change; only inserts are requested.
    void followChanges(guarded, follower as never, own.abort.signal);
  };

  const leave = (projectUid: string, listener: NewLogListener) => {
    const set = listeners.get(projectUid);
    set?.delete(listener);
    if (set?.size === 0) listeners.delete(projectUid);
    if (listeners.size > 0) return;
    following?.abort.abort();
    following = undefined;
  };

  return {
    listen(projectUid, listener, signal) {
      if (signal.aborted) return;
      const set = listeners.get(projectUid) ?? new Set();
      listeners.set(projectUid, set.add(listener));
      signal.addEventListener('abort', () => leave(projectUid, listener), { once: true });
      if (following === undefined) start();
      else if (following.open) listener.synced();
      else if (following.lost) listener.lost();
    },
  };
}
