import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentRequests, wordsOf } from '../../../../test/support/agent-requests.js';
import type { JsonObject } from '../../../core/json.js';
import { atOnce } from '../../../core/pacing/steps.js';
import { findFragments } from './find-fragments.js';

function find(json: string, turns: readonly string[] = ['messages'], at = 0) {
  const bytes = Buffer.from(json);
  const found = atOnce(findFragments(bytes.toString('latin1'), at, turns));
  const texts = found?.fragments.map(({ start, end }) => bytes.toString('utf8', start, end)) ?? [];
  return { found, bytes, texts };
}
const findIn = (request: JsonObject) => find(JSON.stringify(request));

const text = (units: number, seed = 7) => wordsOf(seed, units);
const say = (content: string, role = 'user') => ({ role, content });

describe('the fragments of a request', () => {
  it('are the same, plus one or two more, in the next request of a conversation', () => {
    const requests = agentRequests({ seed: 3, turns: 12 }).map(findIn);
    for (const [index, { texts }] of requests.entries()) {
      const before = requests[index - 1]?.texts.slice(0, -8) ?? [];
      expect(texts.slice(0, before.length)).toEqual(before);
    }
    const [last, former] = [requests.at(-1)!, requests.at(-2)!];
    const fresh = last.texts.filter((one) => !former.texts.includes(one));
    expect(fresh.length).toBeLessThanOrEqual(2);
    const inLog = last.bytes.length - last.texts.join('').length;
    expect(inLog).toBeLessThan(2_500);
  });

  it('are found where a conversation has lost its oldest turns', () => {
    const [request] = agentRequests({ seed: 4, turns: 12, result: 2_000 }).slice(-1);
    const messages = request!.messages as JsonObject[];
    const { texts } = findIn({ ...request, messages });
    const cut = findIn({ ...request, messages: messages.slice(5) });
    const shared = cut.texts.filter((one) => texts.includes(one));
    expect(cut.texts.length - shared.length).toBeLessThanOrEqual(1);
  });

  it('do not include the question of a first request, nor short texts', () => {
    const { texts, found } = findIn({
      messages: [say(text(2_000, 1), 'system'), say(text(9_000, 2))],
      instructions: text(900),
    });
    expect(texts).toEqual([JSON.stringify(say(text(2_000, 1), 'system'))]);
    expect(found!.fragments[0]!.isRepeated).toBe(false);
    expect(findIn({ messages: [say(text(9_000))] }).texts).toEqual([]);
    expect(find(JSON.stringify({ input: text(9_000) }), ['input']).texts).toEqual([]);
  });

  it('include all of a list of tools, also what is short at its end', () => {
    const tools = [
      ...Array.from({ length: 9 }, (_none, seed) => ({ name: text(1_000, seed) })),
      { name: 'x' },
    ];
    const { texts } = findIn({ tools });
    expect(`[${texts.join(',')}]`).toBe(JSON.stringify(tools));
    expect(texts.length).toBe(1);
  });

  it('are at most a mebibyte each, cut between characters', () => {
    const { texts } = findIn({ system: '€'.repeat(1_000_000) });
    expect(texts.length).toBe(3);
    expect(texts.join('')).toBe(JSON.stringify('€'.repeat(1_000_000)));
    for (const one of texts) expect(Buffer.byteLength(one)).toBeLessThanOrEqual(1024 * 1024);
  });

  it('are at the right places of the request and its members, in any JSON', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (value, indent) => {
        const request = JSON.stringify(value, null, indent);
        const { found } = find(`[${request},"}]"]`, [], 1);
        expect(found!.end).toBe(1 + Buffer.byteLength(request));
        expect(found!.members.length).toBe(Object.keys(value).length);
      }),
    ));

  it.each(['', '[]', '"{}"', 'null', '{', '{"a":1', '{"a":[1}'])('are not looked for in %s', (json) => {
    expect(find(json).found).toBeUndefined();
  });
});
