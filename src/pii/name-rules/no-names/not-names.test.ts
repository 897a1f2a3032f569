import { expect, it } from 'vitest';
import { createDetector } from '../../index.js';

it.each([
  ['nl', 'vraag even of Ratna de sleutel van het kantoor heeft', 'Ratna'],
  ['es', 'dice que Leocadia la factura ya la tiene', 'Leocadia'],
])('an article and a thing are no part of the name before them, in %s', (language, text, name) => {
  const found = createDetector({ language, entities: ['PERSON'] }).detectSync(text);
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([name]);
});
