import { expect, it } from 'vitest';
import { createDetector } from '../index.js';

const people = createDetector({ entities: ['PERSON'] });
const found = (text: string) => people.detectSync(text).map(({ start, end }) => text.slice(start, end));

it('somebody is found again by surname alone', () => {
  const text =
    'Present: Oluwaseun Adebayo, Mirela Thiessen.\n- forecast shown\n- Thiessen objects, see Adebayo.';
  expect(found(text)).toEqual(['Oluwaseun Adebayo', 'Mirela Thiessen', 'Thiessen', 'Adebayo']);
});

it.each([
  'Mirela Thiessen wrote Thiessen2 and thiessen@example.org uses THIESSEN_HOME',
  'Mirela Thiessen works at Thiessen Bakery and in New Thiessen',
])('but not where the word is a part of something else: %j', (text) => {
  expect(found(text)).toEqual(['Mirela Thiessen']);
});
