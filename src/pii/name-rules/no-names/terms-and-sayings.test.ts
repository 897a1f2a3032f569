import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const detector = createDetector({ language: 'en' });
const found = (text: string) =>
  detector.detectSync(text).map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

describe('a name in a fixed phrase', () => {
  it.each([
    'Sloppy Joe filling and eggs Benedict need more salt.',
    'Granny Smith apples or Bartlett pears for a crumble?',
    "Murphy's law: the build only breaks during demos. Occam's razor helps.",
    'Every Tom, Dick and Harry has a podcast, as the saying goes.',
    'Does Dijkstra need a heap, and which Markov chain is this?',
    'We moved from Jenkins to Travis, and now Maven misses the Jackson dependency.',
    'Bands like Boston, Kansas and Chicago all sound the same to me.',
    'Save Draft | Mark Complete | Grant Permissions | Mark As Spam',
    "AttributeError: type object 'Shelf' has no attribute 'Virginia'",
  ])('is nobody: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['I talked to Jackson about Maven.', 'PERSON Jackson'],
    ['My band plays in Berlin.', 'LOCATION Berlin'],
    ['John Smith likes apples.', 'PERSON John Smith'],
    ["Moore's test results came back.", 'PERSON Moore'],
    ['Jack has ten apples left.', 'PERSON Jack'],
  ])('is somebody where the phrase ends: %s', (text, name) => {
    expect(found(text)).toEqual([name]);
  });
});
