import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NeutralRequest, StreamEvent } from '../../src/core/answer.js';
import type { Message, Part } from '../../src/core/message.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { dialects } from '../../src/dialects/index.js';
import {
  answerOf,
  CONTEXT,
  decodeAll,
  documentOf,
  encodeAll,
  type Fixture,
  fixture,
  fixturesOf,
  folderOf,
  framesOf,
  golden,
  spoken,
  substance,
  TARGET,
  takenSchema,
} from './dialects-support.js';

/* What a client sends in one API and a provider speaks in another. All pairs go through the neutral form. */

const pairs = dialects.flatMap((client) =>
  dialects.filter((provider) => provider !== client).map((provider) => [client, provider] as const),
);
const named = pairs.map(([client, provider]) => [`${client.id} → ${provider.id}`, client, provider] as const);

function translate(client: Dialect, provider: Dialect, text: string, target = TARGET): string {
  const document = documentOf(text);
  return atOnce(
    provider.fromNeutral(atOnce(client.toNeutral(document, atOnce(client.readRequest(document)))), target),
  );
}

function goldenPath(one: Fixture, client: Dialect, provider: Dialect, kind: string): string {
  const folder = one.expectedPath.replace(/[^/]+\/[^/]+$/, 'translated/');
  return `${folder}${folderOf(client)}-to-${folderOf(provider)}/${one.name}.${kind}`;
}

describe.each(named)('%s', (_name, client, provider) => {
  const all = fixturesOf(client, 'request.json').filter(
    // Responses has no stop sequences.
    ({ name }) => !(name === 'text' && provider.id === 'openai.responses'),
  );
  // An API without pictures, say, has no fixture of one.
  const sayable = new Set(fixturesOf(provider, 'request.json').map(({ name }) => name));
  const isUnsayable = ({ name }: Fixture) => ['image', 'document'].includes(name) && !sayable.has(name);
  const requests = all.filter((one) => !isUnsayable(one));
  const unsayable = all.filter(isUnsayable);

  it.each(unsayable.map((one) => [one.name, one] as const))('refuses the request %s', (_case, one) => {
    expect(() => translate(client, provider, one.text)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: expect.stringMatching(/./) }),
    );
  });

  it.each(requests.map((one) => [one.name, one] as const))(
    'translates the request %s',
    async (_case, one) => {
      const body = JSON.parse(translate(client, provider, one.text));
      await expect(golden(body)).toMatchFileSnapshot(goldenPath(one, client, provider, 'request.json'));
    },
  );

  it.each(requests.map((one) => [one.name, one] as const))(
    'translates %s into a valid request with the same meaning',
    (_case, one) => {
      const original = documentOf(one.text);
      const carried = documentOf(translate(client, provider, one.text));
      const asked = atOnce(client.readRequest(original));
      const view = atOnce(provider.readRequest(carried, { model: 'large', stream: asked.stream }));
      expect(view.model).toBe('large');
      expect(view.stream).toBe(asked.stream);
      expect(view.outputSchema?.schema).toEqual(takenSchema(provider, asked));
      expect(said(spoken(atOnce(provider.readMessages(carried))))).toEqual(
        said(spoken(atOnce(client.readMessages(original)))),
      );
    },
  );

  const tellsCached = fixturesOf(client, 'response.json').some(
    ({ text }) => atOnce(client.readAnswer(JSON.parse(text)))?.usage?.cachedInputTokens !== undefined,
  );
  const answers = fixturesOf(provider, 'response.json').filter(
    ({ name }) => !name.startsWith('error') && name !== 'choices',
  );

  it.each(answers.map((one) => [one.name, one] as const))('translates the answer %s', async (_case, one) => {
    const answer = atOnce(provider.readAnswer(JSON.parse(one.text)))!;
    const body = JSON.parse(atOnce(client.writeAnswer(answer, CONTEXT)));
    await expect(golden(body)).toMatchFileSnapshot(goldenPath(one, client, provider, 'response.json'));
    const read = atOnce(client.readAnswer(body))!;
    expect(substance(read)).toEqual(substance(answer));
    const { inputTokens, outputTokens, cachedInputTokens } = answer.usage!;
    expect(read.usage).toMatchObject({ inputTokens, outputTokens });
    if (tellsCached) expect(read.usage!.cachedInputTokens ?? 0).toBe(cachedInputTokens ?? 0);
  });

  const streams = fixturesOf(provider, 'sse').filter(({ name }) => name !== 'choices');

  it.each(streams.map((one) => [one.name, one] as const))('translates the stream %s', async (_case, one) => {
    const events = decodeAll(provider, framesOf(one.bytes));
    const frames = encodeAll(client, events, CONTEXT);
    const lines = frames.map(({ event, data }) => `${event === undefined ? '' : `${event} `}${data}\n`);
    await expect(lines.join('')).toMatchFileSnapshot(goldenPath(one, client, provider, 'sse.txt'));
    const read = answerOf(decodeAll(client, frames));
    expect(substance(read)).toEqual(substance(answerOf(events)));
  });

  it.each(['text', 'tool-call', 'structured-output', 'refusal', 'reasoning'])(
    'translates the stream %s to the same content as the whole answer',
    (name) => {
      const events = decodeAll(provider, framesOf(fixture(provider, 'sse', name).bytes));
      const streamed = answerOf(decodeAll(client, encodeAll(client, events, CONTEXT)));
      const whole = atOnce(
        client.readAnswer(JSON.parse(atOnce(client.writeAnswer(answerOf(events), CONTEXT)))),
      )!;
      expect(substance(streamed)).toEqual(substance(whole));
      expect(streamed.choices[0]!.finishReason).toBe(whole.choices[0]!.finishReason);
      expect(streamed.id).toBe(whole.id);
      expect(streamed.model).toBe(whole.model);
    },
  );
});

/** The conversation without what dialects cut differently: who said what, in order. */
function said(messages: readonly Message[]): unknown[] {
  const lines = messages.flatMap((message) => message.parts.flatMap((part) => line(message.role, part)));
  const isSystem = (entry: { role: string }) => entry.role === 'system';
  return [...lines.filter(isSystem), ...lines.filter((entry) => !isSystem(entry))];
}

function line(role: Message['role'], part: Part): { role: string; what: unknown }[] {
  const who = role === 'developer' ? 'system' : role === 'tool' ? 'user' : role;
  switch (part.type) {
    case 'reasoning':
      // Only the API that made it takes its own back.
      return [];
    case 'tool-result':
      return [{ role: who, what: [part.callId, said([{ role, parts: part.parts }])] }];
    case 'tool-call':
      return [{ role: who, what: [part.id, part.name, JSON.parse(part.arguments)] }];
    case 'image':
      return [{ role: who, what: part.source }];
    case 'document':
      if (part.source.kind === 'text') return [{ role: who, what: part.source.text }];
      // Gemini knows no name of a file.
      return [{ role: who, what: part.source }];
    default:
      return [{ role: who, what: 'text' in part ? part.text : part }];
  }
}

// Properties -------------------------------------------------------------------------------------------

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((one) => one.trim() !== '');
const argumentsText = fc.dictionary(word, fc.jsonValue()).map((value) => JSON.stringify(value));
const textPart = text.map((one): Part => ({ type: 'text', text: one }));
const image = fc.oneof(
  fc.webUrl().map((url): Part => ({ type: 'image', source: { kind: 'url', url } })),
  fc
    .base64String()
    .map((data): Part => ({ type: 'image', source: { kind: 'base64', mediaType: 'image/png', data } })),
);

/** A turn of tool calls with their results, and what both sides say around them. */
const exchange: fc.Arbitrary<Message[]> = fc
  .record({
    ask: fc.array(fc.oneof(textPart, image), { minLength: 1, maxLength: 3 }),
    say: textPart,
    calls: fc.uniqueArray(fc.record({ id: word, name: word, arguments: argumentsText, result: text }), {
      selector: ({ id }) => id,
      maxLength: 3,
    }),
  })
  .map(({ ask, say, calls }) => [
    { role: 'user', parts: ask },
    {
      role: 'assistant',
      parts: [say, ...calls.map(({ result: _result, ...call }): Part => ({ type: 'tool-call', ...call }))],
    },
    ...calls.map(
      ({ id, result }): Message => ({
        role: 'tool',
        parts: [{ type: 'tool-result', callId: id, parts: [{ type: 'text', text: result }] }],
      }),
    ),
  ]);

const neutralRequest: fc.Arbitrary<NeutralRequest> = fc.record(
  {
    messages: fc
      .tuple(fc.option(text, { nil: undefined }), fc.array(exchange, { minLength: 1, maxLength: 3 }))
      .map(([system, turns]) => [
        ...(system === undefined
          ? []
          : [{ role: 'system' as const, parts: [{ type: 'text' as const, text: system }] }]),
        ...turns.flat(),
      ]),
    stream: fc.boolean(),
    streamUsage: fc.constant(true),
    maxOutputTokens: fc.nat(),
    temperature: fc.double({ min: 0, max: 1, noNaN: true }).map((one) => one + 0),
    topP: fc.double({ min: 0, max: 1, noNaN: true }).map((one) => one + 0),
    tools: fc.array(
      fc.record({
        name: word,
        description: text,
        strict: fc.boolean(),
        parameters: fc.constant({ type: 'object' }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    toolChoice: fc.oneof(
      fc.constantFrom({ type: 'auto' as const }, { type: 'required' as const }),
      word.map((name) => ({ type: 'tool' as const, name })),
    ),
    parallelToolCalls: fc.boolean(),
    user: word,
  },
  {
    requiredKeys: [
      'messages',
      'stream',
      'streamUsage',
      'maxOutputTokens',
      'tools',
      'toolChoice',
      'parallelToolCalls',
    ],
  },
);

const same = (request: NeutralRequest) => request;

/** Gemini has no strict tools, no switch for parallel calls and no end user's id. */
function asGeminiCanSay({ user: _user, ...request }: NeutralRequest): NeutralRequest {
  const tools = request.tools!.map(({ strict: _strict, ...tool }) => tool);
  return { ...request, tools, parallelToolCalls: true };
}

/** Anthropic's models take a temperature or `top_p`. */
function asAnthropicCanSay({ topP, ...request }: NeutralRequest): NeutralRequest {
  return request.temperature === undefined && topP !== undefined ? { ...request, topP } : request;
}

const SAYABLE: Partial<Record<Dialect['id'], (request: NeutralRequest) => NeutralRequest>> = {
  'gemini.generate': asGeminiCanSay,
  'anthropic.messages': asAnthropicCanSay,
};

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))(
  'the neutral form in %s',
  (_id, dialect) => {
    it('gives back a request as it went in', () => {
      fc.assert(
        fc.property(neutralRequest.map(SAYABLE[dialect.id] ?? same), (request) => {
          const document = documentOf(atOnce(dialect.fromNeutral(request, TARGET)));
          const address = { model: 'large', stream: request.stream };
          const again = atOnce(dialect.toNeutral(document, atOnce(dialect.readRequest(document, address))));
          const { messages, streamUsage: _usage, parallelToolCalls, ...rest } = again;
          const { messages: sent, streamUsage: _asked, parallelToolCalls: parallel, ...settings } = request;
          expect(rest).toEqual(settings);
          expect(parallelToolCalls ?? true).toBe(parallel);
          expect(said(messages)).toEqual(said(sent));
        }),
      );
    });

    it('gives back a stream as it went in, however its parts are mixed', () => {
      fc.assert(
        fc.property(mixedStream, ({ events, parts }) => {
          const frames = encodeAll(dialect, events, CONTEXT);
          const read = answerOf(decodeAll(dialect, frames));
          expect(substance(read)).toEqual(
            substance({ id: '', model: '', choices: [{ index: 0, parts, finishReason: null }] }),
          );
        }),
      );
    });
  },
);

/** Parallel tool calls whose pieces come in any mixture, after some text. */
const mixedStream = fc
  .record({
    said: text,
    calls: fc.array(fc.record({ name: word, arguments: argumentsText }), { maxLength: 3 }),
    cuts: fc.array(fc.nat(), { maxLength: 12 }),
    order: fc.array(fc.nat(), { maxLength: 24, size: 'max' }),
  })
  .map(({ said: opening, calls, cuts, order }) => {
    const queues = calls.map((call, index) => callEvents(call, index, cuts));
    const events: StreamEvent[] = [
      { type: 'start', id: 'x', model: 'm' },
      { type: 'delta', channel: { kind: 'text', choice: 0, part: 0 }, text: opening },
      // Calls begin in order; their arguments mix.
      ...queues.map((queue) => queue.shift()!),
    ];
    for (const pick of order) {
      const open = queues.filter((queue) => queue.length > 0);
      if (open.length > 0) events.push(open[pick % open.length]!.shift()!);
    }
    events.push(...queues.flat(), { type: 'finish', choice: 0, reason: 'tool-calls' }, { type: 'end' });
    const parts: Part[] = [
      { type: 'text', text: opening },
      ...calls.map((call, index): Part => ({ type: 'tool-call', id: `call_${index}`, ...call })),
    ];
    return { events, parts };
  });

function callEvents(call: { name: string; arguments: string }, index: number, cuts: number[]): StreamEvent[] {
  const channel = { kind: 'tool-arguments' as const, choice: 0, part: index };
  const places = [...new Set(cuts.map((cut) => cut % (call.arguments.length + 1)))].sort((a, b) => a - b);
  const pieces = [0, ...places].map((from, at) => call.arguments.slice(from, places[at]));
  return [
    { type: 'tool-call-start', channel, callId: `call_${index}`, name: call.name },
    ...pieces
      .filter((piece) => piece !== '')
      .map((piece): StreamEvent => ({ type: 'delta', channel, text: piece })),
  ];
}
