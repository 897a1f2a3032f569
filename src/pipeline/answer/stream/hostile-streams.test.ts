import { describe, expect, it } from 'vitest';
import { livingBytes } from '../../../../test/support/living-bytes.js';
import { STREAM_END, streamChunk, streamHead } from '../../../../test/support/pipeline.js';
import { forwarded, softening, watching } from '../../../../test/support/response-stage.js';

const EMPTY_DELTA = 'data: {"choices":[{"index":0,"delta":{}}]}\n\n';
const LIMITS = { response_body_bytes: 64 << 20, bodies_in_flight_bytes: 256 << 20 };
const CHUNK_BYTES = 64 * 1024;

/** So many events as chunks of the size in which they come. */
function* chunksOf(event: (at: number) => string, count: number): Generator<Buffer> {
  let text = '';
  for (let at = 0; at < count; at++) {
    text += event(at);
    if (text.length < CHUNK_BYTES) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** Counts the rounds of the event loop in which other work could run. */
function countRounds(): { rounds: () => number; stop: () => void } {
  let count = 0;
  let timer = setImmediate(function next() {
    count++;
    timer = setImmediate(next);
  });
  return { rounds: () => count, stop: () => clearImmediate(timer) };
}

/** What became of a stream that begins with some text, which a guard holds, and goes on with these events. */
async function guarded(event: (at: number) => string, count: number, limits = {}) {
  const system = await forwarded({ plugins: [watching], limits: { ...LIMITS, ...limits } });
  const { stage, outlet } = system;
  const loop = countRounds();
  await stage.onHead(streamHead());
  await stage.onChunk(streamChunk('hel'));
  for (const chunk of chunksOf(event, count)) if (!outlet.ended) await stage.onChunk(chunk);
  if (!outlet.ended) await stage.onChunk(streamChunk('lo', 'stop'));
  if (!outlet.ended) await stage.onChunk(STREAM_END);
  if (!outlet.ended) await stage.onEnd();
  loop.stop();
  return { ...system, rounds: loop.rounds() };
}

describe('a stream after a text that a guard holds back', () => {
  it('sends thousands of empty deltas after it, in order, and lets other work run', async () => {
    const { outlet, record, rounds } = await guarded(() => EMPTY_DELTA, 20_000);
    expect(outlet.text.split('"delta":{}').length).toBeGreaterThan(20_000);
    // One for each few milliseconds; a stream that does not yield has one for each chunk of 64 KiB.
    expect(rounds).toBeGreaterThan(10);
    expect(outlet.text.indexOf('"hel"')).toBeLessThan(outlet.text.indexOf('"delta":{}'));
    expect(record()).toMatchObject({
      status: 'success',
      response: { choices: [{ message: { content: 'hello' } }] },
    });
  });

  it('ends with a plain error where more of them wait than the limit', async () => {
    const { outlet, record } = await guarded(() => EMPTY_DELTA, 200_000);
    expect(outlet.status).toBe(502);
    expect(outlet.text).toMatch(/too many of its events wait for a guard/);
    expect(record()).toMatchObject({ status: 'error' });
  });

  it('is counted among the bodies in flight as long as it waits', async () => {
    const few = await guarded(() => EMPTY_DELTA, 20_000);
    expect(few.pipeline.services.bodies.bytes).toBeLessThan(1 << 20);
    const many = await guarded(() => EMPTY_DELTA, 20_000, { bodies_in_flight_bytes: 4 << 20 });
    expect(many.outlet.text).toMatch(/Too many large bodies are in flight/);
    expect(many.record()).toMatchObject({ status: 'error', error: { code: 'overloaded' } });
  });

  it('may start thousands of tool calls, but not any number', async () => {
    const call = (at: number) =>
      `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":${at},"id":"c${at}","function":{"name":"f","arguments":"{}"}}]}}]}\n\n`;
    const few = await guarded(call, 1_000);
    expect(few.record()).toMatchObject({ status: 'success' });
    const many = await guarded(call, 21_000);
    expect(many.outlet.text).toMatch(/texts at one time/);
    expect(many.record()).toMatchObject({ status: 'error' });
  });
});

describe('a stream with much content without text', () => {
  const COMMENT = `:${'-'.repeat(60_000)}\n`;
  const word = (content: string) =>
    `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`;

  const patient = { ...watching, stream: { window: 4_000 } };

  it.each([
    ['the text in its log', [], word('a few words more ')],
    ['the events that a guard holds', [watching], EMPTY_DELTA],
    ['the alike events that a guard holds', [patient], word('l')],
    ['the lines of an event', [], 'data: one of very many lines\n'],
  ])('keeps little more of it than %s', async (_what, plugins, event) => {
    const { stage } = await forwarded({ plugins, limits: LIMITS });
    await stage.onHead(streamHead());
    await stage.onChunk(Buffer.from(word('hel')));
    const before = livingBytes();
    for (let count = 0; count < 400; count++) await stage.onChunk(Buffer.from(COMMENT + event));
    // All of it has 24 MB.
    expect(livingBytes() - before).toBeLessThan(6_000_000);
  });
});

describe('a stream of very many short texts', () => {
  it('takes little more memory than its text', async () => {
    const { stage, outlet } = await forwarded({ limits: LIMITS });
    const letter = 'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n';
    await stage.onHead(streamHead());
    await stage.onChunk(Buffer.from(letter));
    const before = livingBytes();
    for (const chunk of chunksOf(() => letter, 400_000)) {
      await stage.onChunk(chunk);
      outlet.text = '';
    }
    // Its text has 0.4 MB.
    expect(livingBytes() - before).toBeLessThan(6_000_000);
  });
});

describe('a stream that is held back as a whole', () => {
  it('ends with a plain error where it has more events than the limit', async () => {
    const { stage, outlet, record } = await forwarded({ plugins: [softening], limits: LIMITS });
    await stage.onHead(streamHead());
    for (const chunk of chunksOf(() => 'data: {}\n\n', 400_000)) await stage.onChunk(chunk);
    await stage.onEnd();
    expect([outlet.status, outlet.text]).toEqual([502, expect.stringMatching(/it has over 300000 events/)]);
    expect(record()).toMatchObject({ status: 'error' });
  });
});
