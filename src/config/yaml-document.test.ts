import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { prepareYaml, readYaml } from './yaml-document.js';

describe('a YAML file', () => {
  it('is parsed in turns, so that a running engine does other work meanwhile', async () => {
    const endpoint = (at: number) =>
      `  - { name: e${at}, models: [{ provider: p, model: m }], timeout_ms: ${at} }\n`;
    const text = `endpoints:\n${Array.from({ length: 5_000 }, (_, at) => endpoint(at)).join('')}`;
    let rounds = 0;
    const count = () => {
      rounds++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await prepareYaml(text);
    clearImmediate(timer);
    expect(rounds).toBeGreaterThan(2);
    const { value, mistakes } = readYaml(text, 'sluice.yaml');
    expect(mistakes).toEqual([]);
    expect(value).toEqual(parseDocument(text).toJS());
  });

  it('has the mistakes that the parser of the package finds', () => {
    const piece = fc.constantFrom(
      'a: ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      "'",
      '"',
      '\n',
      '  ',
      '1',
      'b',
      '&x ',
      '*x',
      '|',
      '# c',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const { errors } = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
        const found = readYaml(text, 'f').mistakes.map(({ message }) => message);
        for (const { message } of errors) expect(found).toContain(`not valid YAML: ${message}`);
      }),
    );
  });

  it('is refused with a second document', () => {
    expect(readYaml('a: 1\n---\nb: 2\n', 'f').mistakes).toMatchObject([
      { line: 2, message: 'not valid YAML: the text has more than one document' },
    ]);
  });
});
