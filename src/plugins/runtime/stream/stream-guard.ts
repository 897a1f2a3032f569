import type { Channel } from '../../../core/answer.js';
import type { SluiceError } from '../../../core/errors.js';
import type { PluginRun } from '../../../core/log-record.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import type { Piece } from '../../../core/texts/text-pieces.js';
import type { Caller } from '../call/caller.js';
import { streamModeOf } from '../prepare/plugin-shape.js';
import type { HostContext, PreparedPlugin } from '../prepare/prepared-plugin.js';
import { StageRun } from '../run/stage-run.js';
import { WindowStage } from './window-stage.js';

/** What may be sent of a channel's text, or the rejection that ends the stream. */
export type GuardStep = { pieces: readonly Piece[] } | { rejection: SluiceError };

/**
 * Guards the text of one stream, channel by channel. The next call may only be made after the previous one has ended.
 * After a rejection only `finish` may be called.
 */
export interface StreamGuard {
  /**
   * How many units of a channel's text the guard collects before it looks at them. Less text may be kept back by the caller, which
   * saves a call of `push` for each event; more may be pushed at any time. It changes with each call.
   */
  collects(channel: Channel): number;
  push(channel: Channel, text: string): MaybePromise<GuardStep>;
  /**
   * Checks text after which nothing follows for now, and returns everything that was held back. Later text is checked
   * together with it.
   */
  flush(channel: Channel, text?: string): MaybePromise<GuardStep>;
  /** Drops what was kept of a channel on which nothing follows. */
  forget(channel: Channel): void;
  /**
   * Reports that something arrived that no plugin can read. Returns the error that ends the stream, where one of the
   * plugins must not fail.
   */
  miss(reason: string): SluiceError | undefined;
  /** Called once, at the end of the stream. `interrupted` says why it ended early. */
  finish(interrupted?: string): { runs: PluginRun[] };
}

/** `due` are the window plugins of the response phase, in order; each sees the output of the one before. */
export function createStreamGuard(
  due: readonly PreparedPlugin[],
  context: HostContext,
  caller: Caller,
): StreamGuard {
  const runs = due.map((prepared) => new StageRun(prepared));
  const channels = new Map<string, WindowStage[]>();
  /** The last channel and its stages, because most texts continue the one before. */
  let last: { channel: Channel; stages: WindowStage[] } | undefined;

  const stagesOf = (channel: Channel): WindowStage[] => {
    if (last?.channel !== channel) last = { channel, stages: findStages(channel) };
    return last.stages;
  };

  const findStages = (channel: Channel): WindowStage[] => {
    const key = keyOf(channel);
    let stages = channels.get(key);
    if (stages === undefined) {
      stages = due.map((prepared, index) => {
        const window = windowOf(prepared);
        return new WindowStage(prepared, window, channel, context, caller, runs[index]!);
      });
      channels.set(key, stages);
    }
    return stages;
  };

  const run = (channel: Channel, text: string, final: boolean) => {
    const pieces = text === '' ? [] : [{ source: text.length, text, changed: false }];
    return runStages(stagesOf(channel), 0, pieces, final);
  };

  return {
    collects: (channel) => collectedBy(stagesOf(channel)),
    push: (channel, text) => run(channel, text, false),
    flush: (channel, text = '') => run(channel, text, true),
    forget: (channel) => {
      channels.delete(keyOf(channel));
      last = undefined;
    },
    miss: (reason) => runs.flatMap((stage) => stage.miss(reason) ?? [])[0],
    finish: (interrupted) => ({ runs: runs.map((stage) => stage.record(interrupted)) }),
  };
}

/** A stage that has stopped passes all text on to the next one. */
function collectedBy(stages: readonly WindowStage[]): number {
  for (const stage of stages) if (!stage.stopped) return stage.missing;
  return 0;
}

function keyOf({ kind, choice, part }: Channel): string {
  return `${kind} ${choice} ${part}`;
}

function runStages(
  stages: readonly WindowStage[],
  index: number,
  pieces: readonly Piece[],
  final: boolean,
): MaybePromise<GuardStep> {
  const step = stages[index]!.step(pieces, final);
  if (index === stages.length - 1) return step;
  return settle(step, (done) =>
    'rejection' in done ? done : runStages(stages, index + 1, done.pieces, final),
  );
}

function windowOf(prepared: PreparedPlugin): number {
  const mode = streamModeOf(prepared.plugin, prepared.config);
  if (mode === 'whole')
    throw new Error(`'${prepared.plugin.name}' needs the whole answer, so it cannot guard a stream`);
  return mode.window;
}
