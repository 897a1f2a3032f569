import { describe, expect, it } from 'vitest';
import { createAjv } from './create-ajv.js';

describe('multipleOf', () => {
  it.each<[number, number, boolean]>([
    [0.07, 0.01, true],
    [4.35, 0.01, true],
    [1.1, 0.1, true],
    [-19.99, 0.01, true],
    [0.0075, 0.0001, true],
    [0.075, 0.01, false],
    [4.351, 0.01, false],
    [12391239123, 1e-8, true],
    [1e308, 0.123456789, false],
    [9007199254740991, 2, false],
    [1e22, 1, true],
    [0, 0.3, true],
    [7, 2, false],
    [-9, 3, true],
    [35, 1.5, false],
  ])('%d is a multiple of %d: %s', (value, by, valid) => {
    const validate = createAjv('2020-12', () => {}).compile({ multipleOf: by });
    expect(validate(value)).toBe(valid);
  });
});
