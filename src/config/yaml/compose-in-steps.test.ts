import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Document, Parser, parseDocument } from 'yaml';
import { atOnce } from '../../core/pacing/steps.js';
import { composeInSteps } from './compose-in-steps.js';

describe('a text that is composed in steps', () => {
  it('has the values and the mistakes that the package finds, where its lists and maps are long', () => {
    const sound = [
      '- 1',
      '- { a: b }',
      '- a: 1\n    b: [c]',
      '- - 1\n    - 2',
      '-',
      '# c',
      '- &x a',
      '- *x',
      '',
    ];
    const wrong = [
      ' - 1',
      'a',
      '- a: b: c',
      '- {',
      '- !t 1',
      '- a\n   b: 1',
      '-\t- a',
      '- a #c',
      '- &x *x',
      '- |\n a',
    ];
    const lineOf = (kinds: string[]) => fc.constantFrom(...kinds);
    const listOf = (lines: fc.Arbitrary<string>) => fc.array(lines, { minLength: 100, maxLength: 130 });
    const texts = fc
      .tuple(listOf(lineOf(sound)), fc.array(lineOf(wrong), { maxLength: 2 }), fc.nat(), fc.boolean())
      .map(([lines, more, at, isMap]) => {
        lines.splice(at % lines.length, 0, ...more);
        const items = isMap ? lines.map((line, index) => line.replace(/^-/, `k${index}:`)) : lines;
        return `first: &x 1\nlong:\n${items.map((item) => `  ${item}\n`).join('')}last: 2\n`;
      });
    fc.assert(
      fc.property(texts, (text) => {
        const [document] = atOnce(composeInSteps([...new Parser().parse(text)], text.length));
        const wanted = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
        const told = (one: Document) => one.errors.map(({ message, pos }) => `${pos} ${message}`).sort();
        expect(told(document!)).toEqual(told(wanted));
        expect(document!.warnings.map(({ message }) => message)).toEqual(
          wanted.warnings.map(({ message }) => message),
        );
        if (wanted.errors.length === 0) expect(document!.toJS()).toEqual(wanted.toJS());
      }),
      { numRuns: 40 },
    );
  });
});
