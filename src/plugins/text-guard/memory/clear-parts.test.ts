import { expect, it, vi } from 'vitest';
import type { Message, Part } from '../../../core/message.js';
import type { TextScanner } from '../found.js';
import { guardFunctions } from '../guard-functions.js';
import { LocalEngine } from '../local-engine.js';
import type { PreparedGuard } from '../prepared-guard.js';
import { scanPool } from '../scan-pool.js';

const SECRET = 'Ada';
const scanner: TextScanner = {
  // biome-ignore lint/correctness/useYield: one step is enough
  *scan(text) {
    const start = text.indexOf(SECRET);
    return start < 0 ? [] : [{ type: 'PERSON', start, end: start + SECRET.length, score: 1 }];
  },
};

function guardWith(engine: LocalEngine): PreparedGuard {
  const settings = { reject_on_detection: false, rejection_message: 'Request refused.', mask: true };
  return { settings, engine, debug: () => ({}) };
}

/** Runs the request phase. Returns the texts that were looked at, and the result. */
async function runOn(engine: LocalEngine, messages: Message[]) {
  const find = vi.spyOn(engine, 'find');
  const { request } = guardFunctions('found', 'Request refused.');
  const result = await request({
    config: guardWith(engine),
    messages,
    requestBody: {},
    requestId: 'log-1',
    endpoint: 'support',
    metadata: {},
    headers: {},
    timeoutMs: 1_000,
    signal: new AbortController().signal,
  } as Parameters<typeof request>[0]);
  const texts = find.mock.calls.flatMap(([given]) => given.map(({ text }) => text));
  find.mockRestore();
  return { texts, result };
}

function newEngine(): LocalEngine {
  const spec = { kind: 'pii', options: {} };
  return new LocalEngine({ scanner, spec, pool: scanPool, longestRun: 0, streamWindow: undefined });
}

function toolsPart(...texts: string[]): Part {
  const parts = texts.map((text): Part => Object.freeze({ type: 'text', text }));
  Object.freeze(parts);
  return Object.freeze({ type: 'tool-result', callId: '', parts });
}

const user: Message = { role: 'user', parts: [{ type: 'text', text: 'I am Ada' }] };

it('a frozen part without findings is looked at once by each guard, whatever is found beside it', async () => {
  const engine = newEngine();
  const messages: Message[] = [{ role: 'system', parts: [toolsPart('finds a file', 'path')] }, user];
  expect((await runOn(engine, messages)).texts).toEqual(['finds a file', 'path', 'I am Ada']);
  const { texts, result } = await runOn(engine, messages);
  expect(texts).toEqual(['I am Ada']);
  expect(result).toMatchObject({
    action: 'modify',
    content: [{}, { parts: [{ text: 'I am <PERSON>' }] }],
    findings: [{ place: '/1/parts/0/text' }],
  });
  expect((await runOn(newEngine(), messages)).texts).toEqual(['finds a file', 'path', 'I am Ada']);
});

it('a frozen part with a finding is masked in each request', async () => {
  const engine = newEngine();
  const messages: Message[] = [{ role: 'system', parts: [toolsPart('finds a file', 'asks Ada')] }, user];
  for (let time = 1; time <= 3; time++) {
    const { result } = await runOn(engine, messages);
    expect(JSON.stringify(result)).toContain('asks <PERSON>');
  }
});

it('a part that may be changed is looked at in each request', async () => {
  const engine = newEngine();
  const part = structuredClone(toolsPart('finds a file'));
  for (let time = 1; time <= 3; time++) {
    const { texts } = await runOn(engine, [{ role: 'system', parts: [part] }]);
    expect(texts).toEqual(['finds a file']);
  }
});
