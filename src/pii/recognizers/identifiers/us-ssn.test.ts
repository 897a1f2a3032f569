import { expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const detector = createDetector({ entities: ['US_SSN'] });
const found = (text: string) => detector.detectSync(text).map(({ start, end }) => text.slice(start, end));

it.each([
  'Employee, social 267813340, lives in town',
  'social: 267813340',
  "her social's 267813340",
  'SS no. 267813340',
  'soc. sec. 267813340',
])('nine digits are a social security number after a short word for it: %s', (text) => {
  expect(found(text)).toEqual(['267813340']);
});

it.each(['social media campaign 267813340', 'capital social 267813340 euros', 'anti-social 267813340'])(
  'but not in %s',
  (text) => {
    expect(found(text)).toEqual([]);
  },
);
