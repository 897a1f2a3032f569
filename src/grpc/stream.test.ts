import { describe, expect, it } from 'vitest';
import { DEFAULT_WINDOW } from './frames.js';
import { GrpcStream, type StreamOutlet } from './stream.js';

const MEBIBYTE = 1 << 20;

/** A stream whose service does not read on, and what it asks of its connection. */
function waitingStream() {
  const widened: number[] = [];
  const outlet: StreamOutlet = {
    window: DEFAULT_WINDOW,
    frameBytes: 16_384,
    maxMessageBytes: MEBIBYTE,
    headerPrefix: () => Buffer.alloc(0),
    send: () => {},
    sendMessage: () => {},
    sendLater: () => {},
    deliverSoon: () => {},
    widenReceiving: (_stream, bytes) => widened.push(bytes),
    readOn: () => {},
    onError: () => {},
    ended: () => {},
  };
  const stream = new GrpcStream(1, new Map(), DEFAULT_WINDOW, outlet);
  stream.listen({ onMessage: () => {}, onEnd: () => {} });
  const come = (bytes: number) => {
    stream.take(Buffer.alloc(bytes));
    return stream.takeRead(bytes);
  };
  return { stream, come, widened };
}

describe('what a peer may send of a call before it is read', () => {
  it('is limited to a window', () => {
    const { come } = waitingStream();
    expect(come(DEFAULT_WINDOW)).toBe(0);
    expect(() => come(1)).toThrow('flow-control window');
  });

  it('is 1 MiB where the service reads ahead, which is announced once', () => {
    const { stream, come, widened } = waitingStream();
    expect(come(DEFAULT_WINDOW)).toBe(0);
    stream.readAhead();
    stream.readAhead();
    expect(widened).toEqual([MEBIBYTE - DEFAULT_WINDOW]);
    expect(come(MEBIBYTE - DEFAULT_WINDOW)).toBe(0);
    expect(() => come(1)).toThrow('flow-control window');
  });

  it.each(['has ended', 'was left'])('stays the same where the call %s', (how) => {
    const { stream, widened } = waitingStream();
    if (how === 'has ended') stream.end();
    else stream.takeEnd(true);
    stream.readAhead();
    expect(widened).toEqual([]);
  });
});
