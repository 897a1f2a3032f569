import { describe, expect, it } from 'vitest';
import type { Log } from '../api/client.ts';
import { comparisons, describeChoice } from './comparisons.ts';

const log = (id: string, text: string) =>
  ({
    id,
    api: 'openai.chat',
    request: {},
    response: { choices: [{ message: { role: 'assistant', content: text } }] },
  }) as unknown as Log;
const idsOf = (groups: Parameters<typeof comparisons>[0]) =>
  comparisons(groups).map(({ left, right }) => [left.id, right.id]);

describe('pairs to compare', () => {
  it('pair the newest answer with each different one', () => {
    const logs = [log('a1', 'x'), log('b1', 'y'), log('c1', 'x'), log('d1', 'z')];
    expect(idsOf([{ logs }]).map((pair) => pair.sort())).toEqual([
      ['a1', 'b1'],
      ['a1', 'd1'],
    ]);
  });

  it('leave out what was judged, whichever answer was on the left', () => {
    const logs = [log('a1', 'x'), log('b1', 'y')];
    expect(idsOf([{ logs, judged: [['b1', 'a1']] }])).toEqual([]);
  });

  it('are in an order that does not reveal the newer one', () => {
    const drawn = Array.from({ length: 50 }, (_, index) => {
      const [pair] = idsOf([{ logs: [log(`n${index}`, 'x'), log(`o${index * 7}`, 'y')] }]);
      return pair![0]!.startsWith('n');
    });
    expect(new Set(drawn)).toEqual(new Set([true, false]));
  });
});

describe('what was chosen', () => {
  const by = (model: string) => ({ ...log('a1', 'x'), model });
  it.each([
    ['left', 'a/m', 'b/m', 'You preferred a/m to b/m.'],
    ['both_bad', 'a/m', 'b/m', 'Both bad: a/m and b/m.'],
    ['right', 'a/m', 'a/m', 'You preferred the right answer. Both are by a/m.'],
    ['tie', 'a/m', 'a/m', 'A tie. Both are by a/m.'],
  ] as const)('is told with the models: %s of %s and %s', (choice, left, right, words) => {
    expect(describeChoice(choice, { left: by(left), right: by(right) })).toBe(words);
  });
});
