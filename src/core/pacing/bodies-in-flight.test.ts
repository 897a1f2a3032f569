import { describe, expect, it } from 'vitest';
import { BodiesInFlight } from './bodies-in-flight.js';

describe('bodies in flight', () => {
  it('are refused over their limit, and accepted again once others are released', () => {
    const bodies = new BodiesInFlight(() => 100);
    const [one, other] = [bodies.open(), bodies.open()];
    one.add(60);
    other.add(40);
    expect(() => other.add(1)).toThrow(expect.objectContaining({ code: 'overloaded', status: 503 }));
    one.release();
    other.add(60);
    expect(bodies.bytes).toBe(100);
  });

  it('are released once, and not counted for an exchange that has ended', () => {
    const bodies = new BodiesInFlight(() => 100);
    const hold = bodies.open();
    hold.add(60);
    hold.release();
    hold.add(50);
    hold.release();
    expect(bodies.bytes).toBe(0);
  });

  it('are released for an abandoned answer before its exchange ends', () => {
    const bodies = new BodiesInFlight(() => 100);
    const hold = bodies.open();
    hold.add(10);
    hold.addAnswer(80);
    hold.dropAnswer();
    expect(bodies.bytes).toBe(10);
    hold.addAnswer(90);
    expect(bodies.bytes).toBe(100);
    hold.release();
    hold.dropAnswer();
    hold.addAnswer(50);
    expect(bodies.bytes).toBe(0);
  });
});
