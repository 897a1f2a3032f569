import { chunk } from './chat.js';
import type { Gateway } from './gateway.js';
import { ControlledStream } from './replies.js';

/** The end of a streamed answer, as its client reads it. */
const STREAM_END = 'data: [DONE]\n\n';
/** Stands in place of the text of an answer that broke off. */
const BROKEN = 'broken';

export interface OpenStreams {
  /** The log ids of the answers. */
  ids: readonly (string | null)[];
  /** Sends a piece of text in every answer. */
  send(content: string): Promise<void>;
  /** Ends all answers that are still open, and returns how many arrived completely. */
  finish(): Promise<number>;
  /** Resolves after every client has read its answer, complete or not. */
  closed(): Promise<void>;
}

/** Opens streamed answers that run at the same time, spread over the endpoints. Each has sent its first chunk. */
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
        // The connection of a broken answer is closed, so this write fails.
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
