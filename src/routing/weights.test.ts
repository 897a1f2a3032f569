import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawAll, drawFirst, fractionOf } from './weights.js';

describe('a fraction of a text', () => {
  it('is the same for the same text, and within [0, 1)', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const fraction = fractionOf(text);
        expect(fractionOf(text)).toBe(fraction);
        expect(fraction).toBeGreaterThanOrEqual(0);
        expect(fraction).toBeLessThan(1);
      }),
    );
  });

  it('is spread evenly over ids that differ in their last digits', () => {
    const buckets = new Array(10).fill(0) as number[];
    for (let id = 0; id < 10_000; id++) {
      buckets[Math.floor(fractionOf(`01900000-0000-7000-8000-${id.toString(16).padStart(12, '0')}`) * 10)]!++;
    }
    for (const count of buckets) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});

describe('a draw', () => {
  const items = [
    { name: 'a', weight: 1 },
    { name: 'b', weight: 2 },
    { name: 'c', weight: 1 },
  ];
  const drawn = (fraction: number) =>
    drawFirst(items, fraction)
      .map(({ name }) => name)
      .join('');

  it.each([
    [0, 'abc'],
    [0.2499, 'abc'],
    [0.25, 'bac'],
    [0.7499, 'bac'],
    [0.75, 'cab'],
    [0.9999999999, 'cab'],
  ])('at %f moves the drawn item to the front and keeps the order of the others', (fraction, order) => {
    expect(drawn(fraction)).toBe(order);
  });

  it('has every item once, whatever the weights', () => {
    const weights = fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        weights,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (list, fraction) => {
          const all = list.map((weight, name) => ({ name, weight }));
          expect(new Set(drawFirst(all, fraction))).toEqual(new Set(all));
        },
      ),
    );
  });
});

describe('a draw of all by a value', () => {
  const items = [
    { name: 'a', weight: 1 },
    { name: 'b', weight: 2 },
    { name: 'c', weight: 1 },
  ];
  const nameOf = ({ name }: { name: string }) => name;
  const order = (value: string, of = items) => drawAll(of, value, nameOf).map(nameOf);
  const values = Array.from({ length: 4_000 }, (_none, at) => `session-${at}`);
  const firsts = (of = items) => values.map((value) => order(value, of)[0]!);

  it('is the same for the same value, whatever the order of the list', () => {
    for (const value of values.slice(0, 50)) expect(order(value, [...items].reverse())).toEqual(order(value));
  });

  it('puts each in front for its share of the values', () => {
    const share = (name: string) => firsts().filter((first) => first === name).length / values.length;
    expect(share('a')).toBeCloseTo(0.25, 1);
    expect(share('b')).toBeCloseTo(0.5, 1);
  });

  it('changes nothing for the others where one is left out', () => {
    for (const value of values.slice(0, 200)) {
      const [first, ...rest] = order(value);
      expect(
        order(
          value,
          items.filter(({ name }) => name !== first),
        ),
      ).toEqual(rest);
    }
  });

  it('moves as few values as it can where a weight changes', () => {
    const heavier = items.map((item) => (item.name === 'a' ? { ...item, weight: 2 } : item));
    const [before, after] = [firsts(), firsts(heavier)];
    const moved = values.filter((_value, at) => before[at] !== after[at]);
    // From a quarter to two fifths: 15 % move, all of them to it.
    expect(moved.length / values.length).toBeCloseTo(0.15, 1);
    for (const [at, first] of after.entries()) if (before[at] !== first) expect(first).toBe('a');
  });
});
