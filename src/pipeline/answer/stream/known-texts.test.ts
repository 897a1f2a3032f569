import { expect, it, vi } from 'vitest';
import { ChannelText } from './channel-text.js';
import { KnownTexts } from './known-texts.js';

function channelText(part: number, original: string): ChannelText {
  const text = new ChannelText({ kind: 'text', choice: 0, part });
  text.add({ original, undecided: 0, text: original });
  return text;
}

function knowing(all: readonly ChannelText[]): KnownTexts {
  const known = new KnownTexts();
  for (const one of all) known.add(one);
  return known;
}

it('finds the first text with the same content, even one that was added later', () => {
  const [one, other, same] = [channelText(0, 'ab'), channelText(1, 'cd'), channelText(2, 'cd')];
  const known = knowing([one, other, same]);
  expect(known.find('cd')).toBe(other);
  expect(known.find('ef')).toBeUndefined();
  const late = channelText(3, 'ef');
  known.add(late);
  expect(known.find('ef')).toBe(late);
  expect(known.find('a')).toBeUndefined();
});

it('returns a growing text as it was when it was last settled', () => {
  const [growing, same] = [channelText(0, 'ab'), channelText(1, 'ab')];
  const known = knowing([growing, same]);
  expect(known.find('ab')).toBe(growing);
  growing.add({ original: 'c', undecided: 0, text: 'c' });
  known.note(growing);
  expect([known.find('ab'), known.find('abc')]).toEqual([growing, undefined]);
  known.settle();
  expect([known.find('ab'), known.find('abc')]).toEqual([same, growing]);
});

it('no longer finds a text that it was told to forget', () => {
  const [one, same, noted] = [channelText(0, 'ab'), channelText(1, 'ab'), channelText(2, 'cd')];
  const known = knowing([one, same]);
  known.find('ab');
  known.note(noted);
  for (const gone of [one, noted]) known.forget(gone);
  known.settle();
  expect([known.find('ab'), known.find('cd')]).toEqual([same, undefined]);
  known.forget(same);
  expect([known.find('ab'), known.isEmpty]).toEqual([undefined, true]);
});

it('joins each text of one length once, however many are looked for', () => {
  const all = Array.from({ length: 1_000 }, (_, at) => channelText(at, `${1_000 + at}`));
  const joins = all.map((text) => vi.spyOn(text, 'whole'));
  const known = knowing(all);
  for (let at = 0; at < 1_000; at++) known.find(`${5_000 + at}`);
  expect(joins.reduce((sum, join) => sum + join.mock.calls.length, 0)).toBe(1_000);
});
