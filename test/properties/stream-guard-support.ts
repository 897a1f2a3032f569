import type { Channel, StreamEvent } from '../../src/core/answer.js';
import type { JsonObject } from '../../src/core/json.js';
import type { Dialect, SseFrame } from '../../src/dialects/dialect.js';
import { Members } from '../../src/dialects/members/members.js';
import { createSseParser, formatFrame } from '../../src/dialects/wire/sse.js';
import { type GuardedStep, GuardedStream } from '../../src/pipeline/answer/stream/guarded-stream.js';
import { RepeatedFrames } from '../../src/pipeline/answer/stream/repeated/repeated-frames.js';
import { framesOf, RepeatedRun } from '../../src/pipeline/answer/stream/repeated/repeated-run.js';
import type { Plugin, WindowInput, WindowResult } from '../../src/plugins/contract/plugin.js';
import type { PluginHost, PreparedPlugin } from '../../src/plugins/runtime/host.js';
import { framesIn } from '../support/frames-in.js';
import { pluginEntry, preparePlugins } from '../support/plugin-host.js';

const nothing = new Members(() => ({}));

/** A wire with nothing on it but events: each frame is a JSON list of them. */
export const plainDialect: WireDialect = {
  members: { request: nothing, answer: nothing, frame: nothing },
  tokenProbabilities: [],
  growingText: () => undefined,
  createDecoder: () => ({ decode: (frame) => JSON.parse(frame.data) as StreamEvent[] }),
  replaceDeltas: (frame, texts) => {
    let next = 0;
    const events = (JSON.parse(frame.data) as StreamEvent[]).map((event) =>
      event.type === 'delta' ? { ...event, text: texts[next++] ?? event.text } : event,
    );
    return { ...frame, data: JSON.stringify(events) };
  },
};

export const textChannel: Channel = { kind: 'text', choice: 0, part: 0 };

export function delta(text: string, channel: Channel = textChannel): StreamEvent {
  return { type: 'delta', channel, text };
}

export function plainFrame(...events: StreamEvent[]): SseFrame {
  return { data: JSON.stringify(events) };
}

/** What the property tests look for: an address, a card number, a name. */
export const SECRETS: readonly { type: string; text: string; pattern: RegExp }[] = [
  { type: 'EMAIL_ADDRESS', text: 'anna.schmidt@example.org', pattern: /[\w.]{1,30}@[\w.]{1,30}\.org/g },
  { type: 'CREDIT_CARD', text: '4111 1111 1111 1111', pattern: /\b\d{4}(?: \d{4}){3}\b/g },
  { type: 'PERSON', text: 'Anna Maria Schmidt', pattern: /\bAnna Maria Schmidt\b/g },
];

function findSecrets(text: string): { start: number; end: number; type: string }[] {
  return SECRETS.flatMap(({ type, pattern }) =>
    [...text.matchAll(pattern)].map((match) => ({
      type,
      start: match.index,
      end: match.index + match[0].length,
    })),
  ).sort((a, b) => a.start - b.start);
}

export function maskWhole(text: string): string {
  let masked = text;
  for (const { type, pattern } of SECRETS) masked = masked.replaceAll(pattern, `<${type}>`);
  return masked;
}

/** A plugin that replaces the secrets, or rejects for them. */
export function secretPlugin(window: number, action: 'replace' | 'reject'): Plugin<unknown> {
  return windowPlugin(window, ({ text, settled }) => {
    const found = findSecrets(text);
    const findings = found.map((secret) => ({ ...secret, place: '', score: 1 }));
    if (action === 'reject') {
      return found.some((secret) => secret.start < settled)
        ? { action, message: 'No secrets.', code: 'secret', findings }
        : { action: 'pass' };
    }
    const spans = found.map(({ start, end, type }) => ({ start, end, replacement: `<${type}>` }));
    return { action, spans, findings };
  });
}

export function windowPlugin(
  window: number,
  responseWindow: (input: WindowInput<unknown>) => WindowResult | Promise<WindowResult>,
  name = 'guard',
): Plugin<unknown> {
  return { name, configSchema: { type: 'object' }, stream: { window }, responseWindow };
}

/** A guard of responses behind its host, set to mask what it finds. */
export function prepareGuard(plugin: Plugin<unknown>, config: JsonObject = {}) {
  const changes = {
    phases: ['response' as const],
    config: { reject_on_detection: false, mask: true, ...config },
    on_error: 'reject' as const,
  };
  return preparePlugins([plugin], [pluginEntry(plugin.name, changes)]);
}

/** The text in pieces of these sizes, over and over. */
export function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, next = 0; at < text.length; next++) {
    const end = at + sizes[next % sizes.length]!;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

export type WireDialect = Pick<
  Dialect,
  'createDecoder' | 'replaceDeltas' | 'members' | 'tokenProbabilities' | 'growingText'
>;

/** A guarded stream with the decoder that it needs. */
export function openGuarded(
  { host, plugins }: { host: PluginHost; plugins: readonly PreparedPlugin[] },
  dialect: WireDialect = plainDialect,
) {
  const signal = new AbortController().signal;
  const context = { requestId: 'log-1', endpoint: 'support', metadata: {}, headers: {}, signal };
  const stream = new GuardedStream(dialect, host.openStreamGuard(plugins, context));
  const decoder = dialect.createDecoder();
  const repeated = new RepeatedFrames();
  const alone = ({ frames, rejection }: GuardedStep) => ({ frames: framesOf(frames), rejection });
  return {
    push: async (frame: SseFrame) => {
      const events = decoder.decode(frame);
      repeated.learn(frame, events);
      return alone(await stream.push(frame, events));
    },
    /** As frames that repeat are read together. */
    readRun: (came: string, at: number) => repeated.readRun(came, at),
    pushRun: async (run: RepeatedRun) =>
      alone(stream.collect(run) ? { frames: [] } : await stream.pushRun(run)),
    rest: async () => alone(await stream.rest()),
    end: async () => alone(await stream.end()),
    finish: () => stream.finish(),
  };
}

/** Sends the frames as bytes in chunks of the given sizes, over and over, and gives the frames that come out. */
export async function sendInChunks(
  frames: readonly SseFrame[],
  sizes: readonly number[],
  guarded: ReturnType<typeof openGuarded>,
): Promise<{ frames: SseFrame[]; rejected: boolean }> {
  const bytes = Buffer.from(frames.map((frame) => formatFrame(frame)).join(''));
  const parser = createSseParser();
  const out: SseFrame[] = [];
  let at = 0;
  for (let chunk = 0; at < bytes.length; chunk++) {
    const size = sizes[chunk % sizes.length] ?? bytes.length;
    for (const piece of framesIn(parser, bytes.subarray(at, at + size), guarded.readRun)) {
      const step = await (piece instanceof RepeatedRun ? guarded.pushRun(piece) : guarded.push(piece));
      out.push(...step.frames);
      if (step.rejection !== undefined) return { frames: out, rejected: true };
    }
    const step = await guarded.rest();
    out.push(...step.frames);
    if (step.rejection !== undefined) return { frames: out, rejected: true };
    at += size;
  }
  const step = await guarded.end();
  out.push(...step.frames);
  return { frames: out, rejected: step.rejection !== undefined };
}

/** All text of a channel kind that the frames hold together, as a client would join it. */
export function joinedText(frames: readonly SseFrame[], dialect: WireDialect, kind = 'text'): string {
  const decoder = dialect.createDecoder();
  return frames
    .flatMap((frame) => decoder.decode(frame))
    .flatMap((event) => (event.type === 'delta' && event.channel.kind === kind ? [event.text] : []))
    .join('');
}
