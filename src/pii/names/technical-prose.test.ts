import { describe, expect, it } from 'vitest';
import { createDetector } from '../index.js';

const names = createDetector({ entities: ['PERSON', 'LOCATION'] });
const found = (text: string) =>
  names.detectSync(text).map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);
const CODE = '\n```js\nconst run = require("run");\n```\n';

describe('prose beside code', () => {
  it.each([
    `A \`Runner\` is a wrapper that Fastify will use if the error is sent.${CODE}`,
    `This is used as a default Sampler${CODE}`,
    '[travis-image]: https://img.example.org/a.svg\n[travis-url]: https://ci.example.org',
    `Resolve a URI relative to an optional base path, in ASCII.${CODE}`,
    `Works in the other\nimplementations in Deno and workers.${CODE}`,
  ])('has names of things, which are no findings: %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    [`Please ask Laura to look at \`run\`, she is in Chicago.${CODE}`, ['PERSON Laura', 'LOCATION Chicago']],
    [
      `Hi, my name is Laura Stevenson and I live in Springfield, CA.${CODE}`,
      ['PERSON Laura Stevenson', 'LOCATION Springfield', 'LOCATION CA'],
    ],
    ['[Mathias Bynens](https://bynens.example.org/)', ['PERSON Mathias Bynens']],
  ])('has names of people and places too: %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe('in any prose', () => {
  it.each([
    'it matches any character not in the range. If the first',
    'This prints Hello World',
    '     name                   hz     min     max    mean',
  ])('nothing is found in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('a country after its article is', () => {
    expect(found('we moved to the netherlands last year')).toEqual([expect.stringContaining('netherlands')]);
  });
});
