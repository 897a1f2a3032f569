import { unwatchFile, watchFile } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../core/logger.js';
import type { MaybePromise } from '../core/pacing/maybe-promise.js';
import type { FileText } from './key-files.js';
import type { ConfigResult } from './load.js';
import { type ConfigTexts, type ReadOptions, readTexts, resolveConfig } from './read.js';

/** How often the file is checked. Polling works through symbolic links and on network disks, where events do not. */
const POLL_MS = 250;
/** A file that is being written is read again until it has not changed for this long. */
const QUIET_MS = 100;

export interface WatchOptions extends ReadOptions {
  /** The texts of the running configuration. A change that was made since they were read is applied at once. */
  current: ConfigTexts;
  /** Called with each new content, one call at a time: a complete configuration, or mistakes, which change nothing. */
  onResult(result: ConfigResult, read: ConfigTexts): MaybePromise<void>;
  logger: Pick<Logger, 'error'>;
}

export interface ConfigWatch {
  /** Resolves when no call of `onResult` is running any more; none follows. */
  stop(): Promise<void>;
}

/**
 * Watches a configuration file by its content, however it is replaced: written in place, renamed, or by changed
 * links. The files that it names, with credentials or prices, are watched too. SIGHUP applies it even where nothing
 * changed.
 */
export function watchConfig(options: WatchOptions): ConfigWatch {
  const { file, logger } = options;
  const stopping = new AbortController();
  const followed = new Set<string>();
  let seen = options.current;
  let wanted = false;
  let forced = false;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (wanted && !stopping.signal.aborted) {
      wanted = false;
      const isForced = forced;
      forced = false;
      const read = await readWhenQuiet(file, stopping.signal);
      if (sameTexts(read, seen) && !isForced) continue;
      seen = read;
      follow(read);
      await options.onResult(await resolveConfig(read, options), read);
    }
  }

  function follow({ keyFiles }: ConfigTexts): void {
    for (const path of followed) {
      if (keyFiles.has(path)) continue;
      unwatchFile(path, request);
      followed.delete(path);
    }
    for (const path of keyFiles.keys()) {
      if (followed.has(path)) continue;
      watchFile(path, { interval: POLL_MS }, request);
      followed.add(path);
    }
  }

  function request(): void {
    wanted = true;
    running ??= work()
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        logger.error({ err: error }, 'the changed configuration could not be applied');
      })
      .finally(() => {
        running = undefined;
        // A change that arrives while the last one is failing must not wait for another change.
        if (wanted && !stopping.signal.aborted) request();
      });
  }

  const onHangUp = () => {
    forced = true;
    request();
  };
  watchFile(file, { interval: POLL_MS }, request);
  process.on('SIGHUP', onHangUp);
  follow(seen);
  request();

  return {
    async stop() {
      stopping.abort();
      for (const path of [file, ...followed]) unwatchFile(path, request);
      process.off('SIGHUP', onHangUp);
      await running;
    },
  };
}

/** Waits until the file no longer changes. A half-written file can be valid, with half of its projects missing. */
async function readWhenQuiet(file: string, signal: AbortSignal): Promise<ConfigTexts> {
  let before = await readTexts(file);
  while (true) {
    await delay(QUIET_MS, undefined, { signal });
    const now = await readTexts(file);
    if (sameTexts(before, now)) return now;
    before = now;
  }
}

function sameTexts(a: ConfigTexts, b: ConfigTexts): boolean {
  if (!sameText(a.file, b.file) || a.keyFiles.size !== b.keyFiles.size) return false;
  return [...a.keyFiles].every(([path, text]) => {
    const other = b.keyFiles.get(path);
    return other !== undefined && sameText(text, other);
  });
}

function sameText(a: FileText, b: FileText): boolean {
  return 'text' in a ? 'text' in b && a.text === b.text : 'failure' in b && a.failure === b.failure;
}
