import { describe, expect, it } from 'vitest';
import { loadExternalProcessor } from '../../test/support/ext-proc.js';
import { requestBody, streamChunk, TestPipeline } from '../../test/support/pipeline.js';
import { SluiceError } from '../core/errors.js';
import { SHORT_BODY_BYTES } from '../envoy/names.js';
import { Abandoned } from './abandoned.js';
import { Exchanges } from './exchanges.js';
import { GatewayStream } from './gateway-stream.js';

const { Process } = loadExternalProcessor();

/** The end of the first message where Envoy sends the body without being asked: `protocol_config`, which proto/ lacks. */
const DUPLEX = Buffer.from([(11 << 3) | 2, 2, 1 << 3, 4]);

function headersMessage(more: Record<string, string> = {}, end = Buffer.alloc(0)): Buffer {
  const headers = {
    ':method': 'POST',
    ':path': '/00000000-0000-4000-8000-000000000001/openai/v1/chat/completions',
    authorization: 'Bearer sk-test',
    'content-type': 'application/json',
    ...more,
  };
  const list = Object.entries(headers).map(([key, value]) => ({ key, rawValue: Buffer.from(value) }));
  const message = Process.requestSerialize({ requestHeaders: { headers: { headers: list } } });
  return Buffer.concat([message, end]);
}

function bodyMessage(body: string, endOfStream: boolean): Buffer {
  return Process.requestSerialize({ requestBody: { body: Buffer.from(body), endOfStream } });
}

const HEADERS = headersMessage();

describe('a request whose client has left', () => {
  const pipeline = new TestPipeline();
  const exchanges = new Exchanges();
  const abandoned = new Abandoned();

  async function leave(when: 'before' | 'behind', message = HEADERS): Promise<number> {
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
    await stream.onMessage(message);
    if (message !== HEADERS) await stream.onMessage(bodyMessage('{', true));
    if (when === 'behind') stream.onLeave(false);
    stream.onEnd(false);
    await stream.closed;
    return written;
  }

  it('leaves a log, but at most a hundred such logs a second, if the engine had not read it yet', async () => {
    for (let count = 0; count < 150; count++) await leave('before');
    expect(pipeline.records).toHaveLength(100);
    expect(pipeline.records.every(({ status }) => status === 'aborted')).toBe(true);
  });

  it('costs no more where its body came with the headers', async () => {
    const before = pipeline.records.length;
    const message = headersMessage({ 'content-length': '1' }, DUPLEX);
    for (let count = 0; count < 10; count++) expect(await leave('before', message)).toBe(0);
    expect(pipeline.records).toHaveLength(before);
  });

  it('always leaves a log where the engine has read it', async () => {
    const before = pipeline.records.length;
    for (let count = 0; count < 150; count++) await leave('behind');
    expect(pipeline.records).toHaveLength(before + 150);
  });
});

describe('a request whose body comes with its headers', () => {
  const pipeline = new TestPipeline();

  function open() {
    const written: { immediateResponse?: { body: Buffer } }[] = [];
    const call = {
      metadata: new Map(),
      writable: true,
      hasWaiting: false,
      write: (message: Buffer) => written.push(Process.responseDeserialize(message)),
      end: () => {},
      fail: () => {},
    };
    const stream = new GatewayStream(call, pipeline.services, new Exchanges(), 'chain', new Abandoned());
    const close = async () => {
      stream.onLeave(false);
      stream.onEnd(false);
      await stream.closed;
    };
    return { stream, written, close };
  }
  const errorIn = (message?: { immediateResponse?: { body: Buffer } }) =>
    String(message?.immediateResponse?.body);

  it.each([
    ['says no length', {}],
    ['is longer than Envoy puts together', { 'content-length': String(SHORT_BODY_BYTES + 1) }],
  ])('is refused where it %s: that means an older configuration of Envoy', async (_what, headers) => {
    const { stream, written, close } = open();
    await stream.onMessage(headersMessage(headers, DUPLEX));
    expect(errorIn(written[0])).toContain('older version of Sluice');
    await stream.onMessage(bodyMessage('{', true));
    expect(written).toHaveLength(1);
    await close();
  });

  it('is refused where the body comes in several messages', async () => {
    const { stream, written, close } = open();
    await stream.onMessage(headersMessage({ 'content-length': '2' }, DUPLEX));
    await stream.onMessage(bodyMessage('{', false));
    expect(written).toEqual([]);
    await stream.onMessage(bodyMessage('}', true));
    expect(errorIn(written[0])).toContain('older version of Sluice');
    await close();
  });

  it('is answered with the error for which the engine gives it up, and has a log', async () => {
    const { stream, written, close } = open();
    await stream.onMessage(headersMessage());
    stream.giveUp(new SluiceError('upstream_timeout', 'The engine is stopping.'));
    await expect.poll(() => errorIn(written.at(-1))).toContain('The engine is stopping.');
    await close();
    expect(pipeline.records.at(-1)).toMatchObject({ error: { code: 'upstream_timeout' }, http_status: 504 });
  });

  it('is answered once where the key is wrong, and its body is not read', async () => {
    const { stream, written, close } = open();
    const headers = { authorization: 'Bearer sk-none', 'content-length': '1' };
    await stream.onMessage(headersMessage(headers, DUPLEX));
    expect(errorIn(written[0])).toContain('invalid_api_key');
    await stream.onMessage(bodyMessage('{', true));
    expect(written).toHaveLength(1);
    await close();
  });
});

describe('the answer of a model', () => {
  const frame = (content: string) => streamChunk(content).toString();

  it('goes on in the turn in which it came, in order, and without a promise', async () => {
    const pipeline = new TestPipeline();
    const sent: string[] = [];
    const call = {
      metadata: new Map(),
      writable: true,
      hasWaiting: false,
      write: (message: Buffer) => {
        const { responseBody } = Process.responseDeserialize(message) as {
          responseBody?: { response: { bodyMutation: { streamedResponse: { body: Buffer } } } };
        };
        if (responseBody !== undefined)
          sent.push(responseBody.response.bodyMutation.streamedResponse.body.toString());
      },
      end: () => {},
      fail: () => {},
    };
    const stream = new GatewayStream(call, pipeline.services, new Exchanges(), 'chain', new Abandoned());
    await stream.onMessage(HEADERS);
    await stream.onMessage(bodyMessage(requestBody({ stream: true }).toString(), true));
    const headers = Object.entries({ ':status': '200', 'content-type': 'text/event-stream' });
    const list = headers.map(([key, value]) => ({ key, rawValue: Buffer.from(value) }));
    await stream.onMessage(Process.requestSerialize({ responseHeaders: { headers: { headers: list } } }));
    for (const text of ['one', 'two', 'three']) {
      const body = Buffer.from(frame(text));
      expect(stream.onMessage(Process.requestSerialize({ responseBody: { body } }))).toBeUndefined();
      expect(sent.at(-1)).toContain(`"content":"${text}"`);
    }
    expect(sent).toHaveLength(3);
    stream.onLeave(false);
    stream.onEnd(false);
    await stream.closed;
    expect(pipeline.records[0]).toMatchObject({ status: 'aborted', http_status: 200 });
  });
});
