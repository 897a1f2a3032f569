import type { Channel, StreamEvent } from '../../src/core/answer.js';
import { SluiceError } from '../../src/core/errors.js';
import type { JsonObject } from '../../src/core/json.js';
import type { SseFrame } from '../../src/dialects/dialect.js';
import { Members, word } from '../../src/dialects/members/members.js';
import type { Path } from '../../src/dialects/wire/splice.js';
import type { GuardStep, StreamGuard } from '../../src/plugins/runtime/stream/stream-guard.js';

/*
 * A guard that keeps the last `window` units of each channel, replaces each `secret` by `#`, and rejects `forbidden`.
 * The wire format here is a JSON list of events.
 */
export function simpleGuard(window: number, calls: string[] = []): StreamGuard {
  const kept = new Map<string, string>();
  const step = (channel: Channel, text: string, keep: number): GuardStep => {
    const key = JSON.stringify(channel);
    const all = (kept.get(key) ?? '') + text;
    if (all.includes('forbidden')) return { rejection: new SluiceError('rejected_by_plugin', 'No.') };
    const end = Math.max(0, all.length - keep);
    // The window never ends in the middle of a secret.
    const start = all.lastIndexOf('secret', end - 1);
    const cut = start >= 0 && start < end && start + 'secret'.length > end ? start : end;
    kept.set(key, all.slice(cut));
    const pieces = all
      .slice(0, cut)
      .split(/(secret)/)
      .filter((piece) => piece !== '')
      .map((piece) => ({
        source: piece.length,
        text: piece === 'secret' ? '#' : piece,
        changed: piece === 'secret',
      }));
    return { pieces };
  };
  return {
    collects: () => 0,
    push: (channel, text) => step(channel, text, window),
    flush: (channel, text = '') => {
      calls.push(`${channel.kind} ${channel.choice} ${channel.part}`);
      return step(channel, text, 0);
    },
    forget: (channel) => void kept.delete(JSON.stringify(channel)),
    miss: () => undefined,
    finish: () => ({ runs: [] }),
  };
}

const found: Members = new Members(() => ({ type: word, id: word, content: found }));
const frame = new Members(() => ({ type: word, model: word, content_block: found }));
export const wire = {
  members: { request: found, answer: found, frame },
  tokenProbabilities: ['logprobs'],
  growingText: ({ type, index }: JsonObject, path: Path) =>
    path[0] === 'delta' ? JSON.stringify([type, index]) : undefined,
  replaceDeltas: (frame: SseFrame, texts: string[]): SseFrame => {
    let next = 0;
    const events = (JSON.parse(frame.data) as StreamEvent[]).map((event) =>
      event.type === 'delta' ? { ...event, text: texts[next++] } : event,
    );
    return { ...frame, data: JSON.stringify(events) };
  },
};

export const text: Channel = { kind: 'text', choice: 0, part: 0 };
export function delta(content: string, channel = text): StreamEvent {
  return { type: 'delta', channel, text: content };
}
