import { describe, expect, it } from 'vitest';
import type { MarkedText } from '../ui/marked-text.tsx';
import type { ExplainedFinding } from './findings.ts';
import { foldedText, readText } from './part-text.ts';

const finding = (start: number, end: number, masked = false): ExplainedFinding => ({
  type: 'PERSON',
  place: '/0/parts/0/text',
  start,
  end,
  score: 1,
  plugin: 'pii_detection',
  reason: undefined,
  masked,
});
const marks = ({ pieces }: MarkedText) => pieces.filter((piece) => piece.finding).map(({ text }) => text);

describe('the text of a message', () => {
  it('keeps its marks where it is JSON, which is shown with a line for each member', () => {
    const { marked, isJson } = readText('{"name":"Jane","n":5551234}', [finding(9, 13), finding(19, 26)]);
    expect([marked.text, isJson]).toEqual(['{\n  "name": "Jane",\n  "n": 5551234\n}', true]);
    expect(marks(marked)).toEqual(['Jane', '5551234']);
  });

  it.each([
    ['is marked at its placeholders where it is masked', 'I am <PERSON_1>.', true, ['<PERSON_1>']],
    ['has no mark where stand-ins hide what was found', 'I am Ann Other.', true, []],
    ['is marked where the finding stands', 'I am Jane Do.', false, ['Jane Do']],
    ['of an older log is marked at its placeholders', 'I am <PERSON>.', false, ['<PERSON>']],
  ])('%s', (_case, text, masked, expected) => {
    expect(marks(readText(text, [finding(5, 12, masked)]).marked)).toEqual(expected);
  });

  it('is folded where it is long, and keeps the marks at its beginning', () => {
    const text = 'Jane '.repeat(1_000);
    const findings = Array.from({ length: 1_000 }, (_, index) => finding(5 * index, 5 * index + 4));
    const folded = foldedText(readText(text, findings).marked)!;
    expect(folded.text).toBe(text.slice(0, 2_400));
    expect(marks(folded)).toHaveLength(480);
  });

  it('of many lines is folded, and a short one is not', () => {
    expect(foldedText(readText('a\n'.repeat(40), []).marked)?.text).toBe(`${'a\n'.repeat(29)}a`);
    expect(foldedText(readText('short', []).marked)).toBeUndefined();
  });

  it('in JSON that is long stays JSON when it is folded', () => {
    const { marked, isJson } = readText(JSON.stringify(Array(2_000).fill('abc')), []);
    expect(isJson).toBe(true);
    expect(foldedText(marked)!.text.split('\n')).toHaveLength(30);
  });
});
