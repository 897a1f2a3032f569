import { expect, it, vi } from 'vitest';
import { ChannelText } from './channel-text.js';
import { KnownTexts } from './known-texts.js';

function channelText(part: number, original: string): ChannelText {
  const text = new ChannelText({ kind: 'text', choice: 0, part });
  text.add({ original, undecided: 0, text: original });
  return text;
}

it('finds the first text that says the same, also one that was added later', () => {
  const [one, other, same] = [channelText(0, 'ab'), channelText(1, 'cd'), channelText(2, 'cd')];
  const known = new KnownTexts([one, other, same]);
  expect(known.find('cd')).toBe(other);
  expect(known.find('ef')).toBeUndefined();
  const late = channelText(3, 'ef');
  known.add(late);
  expect(known.find('ef')).toBe(late);
  expect(known.find('a')).toBeUndefined();
});

it('joins each text of a length once, however many are looked for', () => {
  const all = Array.from({ length: 1_000 }, (_, at) => channelText(at, `${1_000 + at}`));
  const joins = all.map((text) => vi.spyOn(text, 'whole'));
  const known = new KnownTexts(all);
  for (let at = 0; at < 1_000; at++) known.find(`${5_000 + at}`);
  expect(joins.reduce((sum, join) => sum + join.mock.calls.length, 0)).toBe(1_000);
});
