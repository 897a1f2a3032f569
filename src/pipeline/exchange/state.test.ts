import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestPipeline } from '../../../test/support/pipeline.js';
import { canMove, EXCHANGE_MOVES, type ExchangeState } from './state.js';

const states = Object.keys(EXCHANGE_MOVES) as ExchangeState[];

describe('the states of an exchange', () => {
  it('lead to the end from everywhere else, and nowhere from the end', () => {
    for (const state of states) expect(canMove(state, 'ended')).toBe(state !== 'ended');
    expect(EXCHANGE_MOVES.ended).toEqual([]);
  });

  it('have no path with two ends, and none that goes back', () => {
    const order = ['receiving', 'forwarded', 'releasing', 'ended'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...states), { maxLength: 20, size: 'max' }), (wanted) => {
        const path: ExchangeState[] = ['receiving'];
        for (const state of wanted) if (canMove(path.at(-1)!, state)) path.push(state);
        expect(path.filter((state) => state === 'ended').length).toBeLessThanOrEqual(1);
        expect(path).toEqual([...path].sort((one, other) => order.indexOf(one) - order.indexOf(other)));
        expect(new Set(path).size).toBe(path.length);
      }),
    );
  });

  it('can be left only by a legal move', () => {
    const exchange = new TestPipeline().exchange();
    expect(() => exchange.move('releasing')).toThrow('exchange cannot go from receiving to releasing');
    exchange.move('forwarded');
    exchange.move('ended');
    expect(exchange.ended).toBe(true);
    expect(() => exchange.move('ended')).toThrow('from ended to ended');
  });
});

describe('the work on an exchange', () => {
  it('is the time in which the engine handled it, without the time in which it waited', () => {
    const exchange = new TestPipeline().exchange();
    exchange.beginWork(10);
    expect(exchange.engineMs(13)).toBe(3);
    exchange.endWork(15);
    expect(exchange.engineMs(100)).toBe(5);
    exchange.beginWork(100);
    exchange.beginWork(101);
    exchange.endWork(104);
    expect(exchange.engineMs(200)).toBe(9);
  });
});
