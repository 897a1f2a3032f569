import { describe, expect, it } from 'vitest';
import { atOnce } from '../../core/pacing/steps.js';
import { openaiChat } from '../../dialects/openai-chat/index.js';
import type { ExchangeTrace } from '../../telemetry/traces/exchange-trace.js';
import type { Ending } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import { traceDetails } from './trace-details.js';

const BODY = {
  model: 'support',
  messages: [{ role: 'user' as const, content: 'Where is it?' }],
  temperature: 0.5,
  max_tokens: 9,
  n: 2,
  response_format: { type: 'json_object' },
};

/** An exchange with one try, in such a trace. */
function detailsIn(trace: Partial<ExchangeTrace>) {
  const document = { text: JSON.stringify(BODY), value: BODY };
  const view = atOnce(openaiChat.readRequest(document));
  const exchange = {
    trace,
    startedMonotonic: 1_000,
    attempts: [{ startedAt: 1_010 }, { startedAt: 1_040 }],
    chain: {},
    dialect: openaiChat,
    document,
    view,
  } as unknown as Exchange;
  return atOnce(traceDetails(exchange, {} as Ending));
}

describe('what a trace records of its exchange', () => {
  it('is nothing that would have to be parsed where nobody records it', () => {
    expect(detailsIn({})).toEqual({ validated: false, outputChunks: undefined, lastAttemptStartMs: 40 });
  });

  it('are the settings of the request, without messages where spans do not show them', () => {
    const { settings, request } = detailsIn({ spanId: '1'.repeat(16) });
    expect(settings).toEqual({ choiceCount: 2, json: true, parameters: { temperature: 0.5, max_tokens: 9 } });
    expect(request).toBeUndefined();
  });

  it('is the whole request where spans show it', () => {
    const { request } = detailsIn({ spanId: '1'.repeat(16), showsRequest: true });
    expect(request).toMatchObject({
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Where is it?' }] }],
      temperature: 0.5,
    });
  });
});
