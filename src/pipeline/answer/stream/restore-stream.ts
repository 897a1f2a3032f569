import type { Channel } from '../../../core/answer.js';
import type { Dialect, SseFrame } from '../../../dialects/dialect.js';
import type { GuardStep, StreamGuard } from '../../../plugins/runtime/stream/stream-guard.js';
import { TextRestorer } from '../../../plugins/stand-ins/restore-text.js';
import { formOf } from '../../attempt/restored-text.js';
import type { Exchange } from '../../exchange/exchange.js';
import { type GuardedDialect, GuardedStream } from './guarded-stream.js';
import { framesOf } from './repeated/repeated-run.js';

/** The last step of a stream to the client: stand-ins are replaced by their values, wherever the stream was split. */
export function openRestorer(exchange: Exchange, dialect: GuardedDialect): GuardedStream {
  return new GuardedStream(dialect, new StreamRestorer(exchange));
}

/** Does the same for a complete stream. */
export async function restoreFrames(
  exchange: Exchange,
  dialect: Dialect,
  frames: readonly SseFrame[],
): Promise<SseFrame[]> {
  const stream = openRestorer(exchange, dialect);
  const decoder = dialect.createDecoder();
  const restored: SseFrame[] = [];
  for (const frame of frames) {
    restored.push(...framesOf((await stream.push(frame, decoder.decode(frame))).frames));
  }
  return [...restored, ...framesOf((await stream.end()).frames)];
}

/** Replaces stand-ins, in the form of a guard. */
class StreamRestorer implements StreamGuard {
  readonly #exchange: Exchange;
  readonly #texts = new Map<string, TextRestorer>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Nothing, because only the text itself tells what may be the beginning of a stand-in. */
  collects(): number {
    return 0;
  }

  push(channel: Channel, text: string): GuardStep {
    return { pieces: this.#textOf(channel).push(text, false) };
  }

  flush(channel: Channel, text = ''): GuardStep {
    return { pieces: this.#textOf(channel).push(text, true) };
  }

  forget(channel: Channel): void {
    this.#texts.delete(keyOf(channel));
  }

  /** Unreadable frames are passed on unchanged. */
  miss(): undefined {
    return undefined;
  }

  finish(): { runs: [] } {
    return { runs: [] };
  }

  #textOf(channel: Channel): TextRestorer {
    const { kind } = channel;
    const key = keyOf(channel);
    let text = this.#texts.get(key);
    if (text === undefined) {
      const form = kind === 'text' || kind === 'tool-arguments' ? formOf(this.#exchange, kind) : 'plain';
      text = new TextRestorer(this.#exchange.standIns, form);
      this.#texts.set(key, text);
    }
    return text;
  }
}

function keyOf({ kind, choice, part }: Channel): string {
  return `${kind} ${choice} ${part}`;
}
