import type { Logger } from '../../core/logger.js';
import type { Collections } from '../mongodb/collections.js';
import { followChanges } from '../mongodb/follow-changes.js';

export interface NewLogListener {
  /** From here on every new log is told: those that landed before must be asked for. */
  synced(): void;
  landed(id: string): void;
  /** New logs cannot be told: MongoDB does not answer. `synced` ends it. */
  lost(): void;
}

/** Tells of logs that land, whichever process writes them. One change stream serves all who listen. */
export interface NewLogs {
  /** Listens to a project until `signal` is aborted. */
  listen(projectUid: string, listener: NewLogListener, signal: AbortSignal): void;
}

interface Landing {
  _id: object;
  documentKey: { _id: string };
  fullDocument: { project_uid: string };
}

/** Ids and projects of new logs, without the rest of them. */
const PIPELINE = [
  { $match: { operationType: 'insert' } },
  { $project: { 'documentKey._id': 1, 'fullDocument.project_uid': 1 } },
];

/** `collections` are of a client whose commands may be silent for long. */
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
    // The driver's stream of changes has a type for each kind of change; inserts alone are asked for.
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
