import { describe, expect, it } from 'vitest';
import { loadExternalProcessor } from '../../test/support/ext-proc.js';
import { TestPipeline } from '../../test/support/pipeline.js';
import { Abandoned } from './abandoned.js';
import { Exchanges } from './exchanges.js';
import { GatewayStream } from './gateway-stream.js';

const { Process } = loadExternalProcessor();

const HEADERS = Process.requestSerialize({
  requestHeaders: {
    headers: {
      headers: Object.entries({
        ':method': 'POST',
        ':path': '/00000000-0000-4000-8000-000000000001/openai/v1/chat/completions',
        authorization: 'Bearer sk-test',
        'content-type': 'application/json',
      }).map(([key, value]) => ({ key, rawValue: Buffer.from(value) })),
    },
  },
});

describe('a request whose client has left', () => {
  const pipeline = new TestPipeline();
  const exchanges = new Exchanges();
  const abandoned = new Abandoned();

  async function leave(when: 'before' | 'behind'): Promise<number> {
    let written = 0;
    const call = {
      metadata: new Map(),
      writable: true,
      hasWaiting: false,
      write: () => written++,
      end: () => {},
      fail: () => {},
    };
    const stream = new GatewayStream(call, pipeline.services, exchanges, 'chain', abandoned);
    if (when === 'before') stream.onLeave(false);
    await stream.onMessage(HEADERS);
    if (when === 'behind') stream.onLeave(false);
    stream.onEnd(false);
    await stream.closed;
    return written;
  }

  it('leaves a log, but no more than a hundred do in a second that the engine had not looked at', async () => {
    for (let count = 0; count < 150; count++) await leave('before');
    expect(pipeline.records).toHaveLength(100);
    expect(pipeline.records.every(({ status }) => status === 'aborted')).toBe(true);
  });

  it('always leaves one where the engine has looked at it', async () => {
    const before = pipeline.records.length;
    for (let count = 0; count < 150; count++) await leave('behind');
    expect(pipeline.records).toHaveLength(before + 150);
  });
});
