import { describe, expect, it } from 'vitest';
import type { Log } from '../api/client.ts';
import { comparisons } from './comparisons.ts';

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
  it('are the newest answer beside each different one', () => {
    const logs = [log('a1', 'x'), log('b1', 'y'), log('c1', 'x'), log('d1', 'z')];
    expect(idsOf([{ logs }]).map((pair) => pair.sort())).toEqual([
      ['a1', 'b1'],
      ['a1', 'd1'],
    ]);
  });

  it('leave out what was judged, whichever stood left', () => {
    const logs = [log('a1', 'x'), log('b1', 'y')];
    expect(idsOf([{ logs, judged: [['b1', 'a1']] }])).toEqual([]);
  });

  it('stand in an order that does not tell the newer one', () => {
    const drawn = Array.from({ length: 50 }, (_, index) => {
      const [pair] = idsOf([{ logs: [log(`n${index}`, 'x'), log(`o${index * 7}`, 'y')] }]);
      return pair![0]!.startsWith('n');
    });
    expect(new Set(drawn)).toEqual(new Set([true, false]));
  });
});
