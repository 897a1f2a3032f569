import { describe, expect, it } from 'vitest';
import { runStart } from './run-start.js';

describe('the start of an unbroken run', () => {
  it.each([
    ['go to https://a.example/b', 20, 6],
    ['one two', 4, 4],
    ['one two', 3, 0],
    ['one two', 0, 0],
    ['見てください', 3, 3],
  ])('in %j at %i is %i', (text, edge, start) => {
    expect(runStart(text, edge, 400)).toBe(start);
  });

  it('is not looked for further where the run is very long', () => {
    expect(runStart('x'.repeat(500), 450, 400)).toBe(450);
  });
});
