import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NeutralRequest } from '../../core/answer.js';
import type { Message } from '../../core/message.js';
import { atOnce } from '../../core/pacing/steps.js';
import { COMPATIBLE } from '../../core/settings.js';
import { boundsOf } from '../compatible.js';
import { dialects } from '../index.js';
import type { NameBound } from '../wire/name-bound.js';
import { type Bounds, fitRequest } from './bounds.js';

const CHAT = boundsOf({}, 'openai.chat')!;

function request(more: Partial<NeutralRequest>): NeutralRequest {
  return { messages: [], stream: false, streamUsage: false, ...more };
}

function callAndResult(id: string, name: string): Message[] {
  return [
    { role: 'assistant', parts: [{ type: 'tool-call', id, name, arguments: '{}' }] },
    { role: 'tool', parts: [{ type: 'tool-result', callId: id, parts: [] }] },
  ];
}

function fitted(more: Partial<NeutralRequest>, bounds: Bounds = CHAT) {
  return atOnce(fitRequest(request(more), bounds));
}

const LONG = 'mcp__ymir-privileged__get_failed_pipeline_jobs_from_merge_request_xxxxxxxxxxxxxxx';

describe('a request for a provider with bounds', () => {
  it('has tool names that fit, the same in tools, calls and the choice', () => {
    const { request: sent, names } = fitted({
      tools: [{ name: LONG }, { name: 'mcp.server:tool' }, { name: 'plain' }],
      toolChoice: { type: 'tool', name: LONG },
      messages: callAndResult('a', LONG),
    });
    const [long, dotted, plain] = sent.tools!.map(({ name }) => name);
    expect(long).toMatch(/^mcp__ymir-privileged__[a-z_-]+_[0-9a-f]{8}$/);
    expect(long).toHaveLength(64);
    expect([dotted, plain]).toEqual(['mcp_server_tool', 'plain']);
    expect(sent.toolChoice).toEqual({ type: 'tool', name: long });
    expect(sent.messages[0]!.parts[0]).toMatchObject({ name: long });
    expect([...names]).toEqual([
      [long, LONG],
      ['mcp_server_tool', 'mcp.server:tool'],
    ]);
  });

  it('keeps names different that differ only in replaced characters', () => {
    const { request: sent, names } = fitted({ tools: [{ name: 'a.b' }, { name: 'a_b' }, { name: 'a:b' }] });
    const short = sent.tools!.map(({ name }) => name);
    expect(new Set(short).size).toBe(3);
    expect(short[1]).toBe('a_b');
    expect(short.map((name) => names.get(name) ?? name)).toEqual(['a.b', 'a_b', 'a:b']);
  });

  it('has call ids that fit and still belong to their results', () => {
    const { request: sent } = fitted({ messages: callAndResult(`call_${'x'.repeat(60)}`, 'f') });
    const [call, result] = sent.messages.map(({ parts }) => parts[0]!);
    expect(call).toMatchObject({ id: expect.stringMatching(/^call_[0-9a-f]{24}$/) });
    expect(result).toMatchObject({ callId: (call as { id: string }).id });
  });

  it('has one result for each call, though a client sends it twice, and one for a later call of the same id', () => {
    const [call, result] = callAndResult('a', 'f') as [Message, Message];
    const twice: Message = { role: 'user', parts: [...result.parts, ...result.parts] };
    const { request: sent } = fitted({ messages: [call, twice, result, call, result] });
    expect(sent.messages).toEqual([call, { ...twice, parts: result.parts }, call, result]);
  });

  it('gives ids to calls that have none, in their order', () => {
    const { request: sent } = fitted({ messages: [...callAndResult('', 'f'), ...callAndResult('', 'g')] });
    const ids = sent.messages.map(({ parts: [part] }) =>
      part!.type === 'tool-call' ? part!.id : (part as { callId: string }).callId,
    );
    expect(ids).toEqual(['call_1', 'call_1', 'call_2', 'call_2']);
  });

  it('names a user whose id is too long by its hash, and others unchanged', () => {
    expect(fitted({ user: 'u-17' }).request.user).toBe('u-17');
    const long = fitted({ user: 'x'.repeat(150) }).request.user;
    expect(long).toMatch(/^user-[0-9a-f]{32}$/);
    expect(fitted({ user: 'x'.repeat(150) }).request.user).toBe(long);
    expect(fitted({ user: 'y'.repeat(150) }).request.user).not.toBe(long);
    expect(
      fitted({ user: 'u-17' }, boundsOf({ compatible: 'mistral' }, 'openai.chat')!).request,
    ).not.toHaveProperty('user');
  });

  it('leaves out stop sequences over the maximum, and says so', () => {
    const { request: sent } = fitted({ stop: ['a', 'b', 'c', 'd', 'e'] });
    expect(sent.stop).toEqual(['a', 'b', 'c', 'd']);
    expect(sent.leftOut).toEqual([{ path: 'stop[4]', what: 'stop', why: 'the provider takes at most 4' }]);
  });

  const everyBounds = dialects.flatMap(({ id }) => [
    [id, boundsOf({}, id)!] as const,
    ...COMPATIBLE.map((compatible) => [`${id} of ${compatible}`, boundsOf({ compatible }, id)!] as const),
  ]);

  it.each(everyBounds)('never exceeds a bound, whatever names the client chose: %s', (_name, bounds) => {
    const isWithin = (text: string, { longest, others, begin, exact }: NameBound) =>
      text !== '' &&
      (exact ? text.length === longest : text.length <= longest) &&
      !others.test(text) &&
      (begin === undefined || begin.test(text));
    const name = fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' });
    const call = fc.tuple(name, name);
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), fc.array(call, { maxLength: 5 }), (tools, calls) => {
        const { request: sent, names } = fitted(
          {
            tools: [...new Set(tools)].map((tool) => ({ name: tool })),
            messages: calls.flatMap(([id, tool]) => callAndResult(id, tool)),
          },
          bounds,
        );
        for (const tool of sent.tools!)
          expect(tool.name).toSatisfy((one: string) => isWithin(one, bounds.toolName));
        expect(sent.tools!.map((tool) => names.get(tool.name) ?? tool.name)).toEqual([...new Set(tools)]);
        for (const [index] of calls.entries()) {
          const [called, result] = sent.messages
            .slice(2 * index, 2 * index + 2)
            .map(({ parts }) => parts[0] as unknown as Record<'id' | 'name' | 'callId', string>);
          const { id, name: calledName } = called!;
          expect(id).toSatisfy((one: string) => isWithin(one, bounds.callId));
          expect(result!.callId).toBe(id);
          expect(calledName).toSatisfy((one: string) => isWithin(one, bounds.toolName));
        }
      }),
      { numRuns: 30 },
    );
  });
});
