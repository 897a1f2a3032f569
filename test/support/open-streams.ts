import { chunk } from './chat.js';
import type { Gateway } from './gateway.js';
import { ControlledStream } from './replies.js';

/** The end of a streamed answer, as its client reads it. */
const STREAM_END = 'data: [DONE]\n\n';
/** The text of an answer that was cut. */
const BROKEN = 'broken';

export interface OpenStreams {
  /** Of the logs. */
  ids: readonly (string | null)[];
  /** Sends a piece of each answer. */
  send(content: string): Promise<void>;
  /** Ends all answers that still can, and counts those that came whole. */
  finish(): Promise<number>;
  /** Resolves once every client has read its answer, whole or not. */
  closed(): Promise<void>;
}

/** Streamed answers under way at the same time, each with its first chunk sent; the endpoints take turns. */
export async function openStreams(
  gateway: Gateway,
  count: number,
  endpoints: readonly string[] = ['support'],
): Promise<OpenStreams> {
  const streams = Array.from({ length: count }, () => new ControlledStream());
  gateway.provider.enqueue(...streams.map((stream) => stream.reply()));
  const opened = streams.map((_stream, at) =>
    gateway.open({ model: endpoints[at % endpoints.length], stream: true }),
  );
  const send = async (content: string) => {
    for (const stream of streams) await stream.send(chunk({ content }));
  };
  await send('half');
  const answers = await Promise.all(opened);
  const texts = answers.map((answer) => answer.text().catch(() => BROKEN));
  return {
    ids: answers.map((answer) => answer.headers.get('x-inference-log-id')),
    send,
    finish: async () => {
      for (const stream of streams) {
        // The connection of an answer that was cut is gone.
        await stream.send(`${chunk({}, 'stop')}${STREAM_END}`).catch(() => undefined);
        await stream.end().catch(() => undefined);
      }
      return (await Promise.all(texts)).filter((text) => text.endsWith(STREAM_END)).length;
    },
    closed: async () => {
      await Promise.all(texts);
    },
  };
}
