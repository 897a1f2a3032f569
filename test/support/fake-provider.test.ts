import { once } from 'node:events';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeProvider, startFakeProvider } from './fake-provider.js';
import { ControlledStream, hangReply, jsonReply, resetReply, streamReply } from './replies.js';

describe('a fake provider', () => {
  let provider: FakeProvider;
  beforeEach(async () => {
    provider = await startFakeProvider();
  });
  afterEach(() => provider.stop());

  const post = (body = '{"a":1}', signal?: AbortSignal) =>
    fetch(`${provider.baseUrl}/chat/completions`, { method: 'POST', body, ...(signal ? { signal } : {}) });

  it('returns the queued replies in order, and then the default reply', async () => {
    provider.always(jsonReply({ n: 'standing' }));
    provider.enqueue(
      jsonReply({ n: 1 }, { status: 429, headers: { 'retry-after': '7' } }),
      jsonReply({ n: 2 }),
    );
    const first = await post();
    expect([first.status, first.headers.get('retry-after'), await first.json()]).toEqual([
      429,
      '7',
      { n: 1 },
    ]);
    expect(await (await post()).json()).toEqual({ n: 2 });
    expect(await (await post()).json()).toEqual({ n: 'standing' });
  });

  it('remembers the requests that it received', async () => {
    await post('{"model":"large"}');
    const received = await provider.received();
    expect([received.method, received.path]).toEqual(['POST', '/v1/chat/completions']);
    expect(received.json()).toEqual({ model: 'large' });
    expect(await received.answered).toBe(true);
  });

  it('sends each piece of a stream when the test says so', async () => {
    const stream = new ControlledStream();
    provider.enqueue(stream.reply());
    const response = await post();
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (const piece of ['data: 1\n\n', 'data: 2\n\n']) {
      await stream.send(piece);
      expect(Buffer.from((await reader.read()).value as Uint8Array).toString()).toBe(piece);
    }
    await stream.end();
    expect((await reader.read()).done).toBe(true);
  });

  it('compresses where the test says so', async () => {
    provider.enqueue(streamReply(['data: 1\n\n', 'data: 2\n\n'], { gzip: true }));
    const call = request(`${provider.baseUrl}/x`, { method: 'POST' }).end();
    const [response] = await once(call, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(Buffer.concat(chunks)).toString()).toBe('data: 1\n\ndata: 2\n\n');
  });

  it('breaks the connection before or in the middle of an answer', async () => {
    const stream = new ControlledStream();
    provider.enqueue(resetReply, stream.reply());
    await expect(post()).rejects.toThrow('fetch failed');
    const response = await post();
    await stream.send('data: 1\n\n');
    await stream.reset();
    await expect(response.text()).rejects.toThrow();
  });

  it('notices that a client hung up', async () => {
    provider.enqueue(hangReply);
    const client = new AbortController();
    const call = post('{}', client.signal);
    const received = await provider.received();
    client.abort();
    await expect(call).rejects.toThrow();
    expect(await received.answered).toBe(false);
  });
});
