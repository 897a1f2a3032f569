import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../core/pacing/steps.js';
import { textOf } from '../../core/texts/text-pieces.js';
import { restoreInSteps, restoreText, TextRestorer } from './restore-text.js';
import { StandIns } from './stand-ins.js';

const standIns = new StandIns();
standIns.add([
  ['<PERSON_1>', 'Ann "Nan" Lee'],
  ['<PERSON_12>', 'Bo\\Li'],
  ['Mara Voss', 'Ann Lee'],
  ['Mara', 'Jo'],
  ['mara.voss@example.org', 'ann@lee.org'],
  ['+1 202-555-0143', '030 1234'],
]);

describe('the restored value in a text', () => {
  it.each([
    ['Dear <PERSON_1>,', 'Dear Ann "Nan" Lee,'],
    ['<PERSON_12> and <PERSON_1><PERSON_1>', 'Bo\\Li and Ann "Nan" LeeAnn "Nan" Lee'],
    ['<PERSON_2> <PERSON_1 PERSON_1> <PERSON_', '<PERSON_2> <PERSON_1 PERSON_1> <PERSON_'],
    ['Mara Voss, Mara Vosses, Mara Vos', 'Ann Lee, Jo Vosses, Jo Vos'],
    ['Samara, Marah, _Mara_, Mara’s', 'Samara, Marah, _Jo_, Jo’s'],
    ['mara.voss@example.org or +1 202-555-01435', 'ann@lee.org or +1 202-555-01435'],
    ['Marä Mara\u0301 Mara😀', 'Marä Mara\u0301 Jo😀'],
  ])('in %j is %j', (text, restored) => {
    expect(restoreText(text, standIns, 'plain')).toBe(restored);
  });

  it.each([
    ['{"to":"<PERSON_1>"}', { to: 'Ann "Nan" Lee' }],
    ['{"to":"\\u003cPERSON_1\\u003e, \\u003CPERSON_12\\u003E"}', { to: 'Ann "Nan" Lee, Bo\\Li' }],
    ['{"to":"Hi\\nMara Voss\\nbye\\u0009Mara"}', { to: 'Hi\nAnn Lee\nbye\tJo' }],
    ['{"to":"C:\\\\nMara"}', { to: 'C:\\nMara' }],
  ])('is escaped for a JSON string in %j', (text, value) => {
    expect(JSON.parse(restoreText(text, standIns, 'json'))).toEqual(value);
  });

  it('is put into a long text in steps, even where a step ends in the middle of a stand-in', () => {
    for (const ahead of [16_370, 16_377, 16_383, 16_384]) {
      const long = (name: string) => `${'x'.repeat(ahead)} ${name} ${'y'.repeat(40_000)} ${name}`;
      const work = restoreInSteps(long('<PERSON_1>'), standIns, 'plain');
      expect(atOnce(work)).toBe(long('Ann "Nan" Lee'));
      expect([...restoreInSteps(long('<PERSON_1>'), standIns, 'plain')]).toHaveLength(3);
    }
  });

  it('is the same wherever the text is cut', () => {
    const bits = [
      '<',
      'PERSON',
      '_1',
      '>',
      '2',
      'Mara',
      ' ',
      'Voss',
      'a',
      '\\',
      'n',
      'u003c',
      'é',
      '😀',
      '+1 202-555-01',
      '43',
      '"',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...bits), { maxLength: 30, size: 'max' }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('plain' as const, 'json' as const),
        (parts, sizes, form) => {
          const text = parts.join('');
          const restorer = new TextRestorer(standIns, form);
          let came = '';
          let source = 0;
          for (let at = 0, next = 0; at < text.length; next++) {
            const end = at + sizes[next % sizes.length]!;
            const pieces = restorer.push(text.slice(at, end), false);
            came += textOf(pieces);
            for (const piece of pieces) source += piece.source;
            at = end;
          }
          const rest = restorer.push('', true);
          for (const piece of rest) source += piece.source;
          expect(came + textOf(rest)).toBe(restoreText(text, standIns, form));
          expect(source).toBe(text.length);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('holds back only what may be the beginning of a stand-in', () => {
    const restorer = new TextRestorer(standIns, 'plain');
    expect(textOf(restorer.push('if a <b then <PER', false))).toBe('if a <b then ');
    expect(textOf(restorer.push('FECT> ', false))).toBe('<PERFECT> ');
  });
});

it('the stand-ins of an exchange do not show their content when printed', () => {
  expect(JSON.stringify({ standIns })).toBe('{"standIns":{}}');
});

it('the values are hidden in error messages', () => {
  expect(standIns.hide('at /Ann Lee: no Jo')).toBe('at /Mara Voss: no Mara');
});

it('the first value of a stand-in is kept', () => {
  const table = new StandIns();
  table.add([['<A>', 'one']]);
  table.add([['<A>', 'two']]);
  expect(table.valueOf('<A>')).toBe('one');
});
