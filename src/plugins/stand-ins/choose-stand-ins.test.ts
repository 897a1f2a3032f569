import { describe, expect, it } from 'vitest';
import { atOnce } from '../../core/pacing/steps.js';
import { luhn } from '../../pii/checksums.js';
import { chooseStandIns, type StandInRequest } from './choose-stand-ins.js';
import { StandIns } from './stand-ins.js';

const people = (...values: string[]) => values.map((value) => ({ type: 'PERSON', value }));

function choose(more: Partial<StandInRequest>) {
  const request = { style: 'reversible', hidden: [], texts: [], known: new StandIns(), series: '', ...more };
  return Object.fromEntries(atOnce(chooseStandIns(request as StandInRequest)));
}

describe('placeholders', () => {
  it('count each type separately, with one number for each value', () => {
    const hidden = [...people('Ann', 'Bo', 'Ann'), { type: 'LOCATION', value: 'Rome' }];
    expect(choose({ hidden })).toEqual({ Ann: '<PERSON_1>', Bo: '<PERSON_2>', Rome: '<LOCATION_1>' });
  });

  it('skip numbers that somebody in the conversation wrote, in JSON too', () => {
    const texts = ['What is <PERSON_1>?', '{"a":"\\u003cPERSON_3\\u003e"}'];
    expect(choose({ hidden: people('Ann', 'Bo'), texts })).toEqual({ Ann: '<PERSON_2>', Bo: '<PERSON_4>' });
  });

  it('are chosen with few searches of the conversation, however many numbers it contains', () => {
    let looks = 0;
    class Texts extends Array<string> {
      override [Symbol.iterator]() {
        looks++;
        return super[Symbol.iterator]();
      }
    }
    const said = Array.from({ length: 5_000 }, (_, at) => `<PERSON_${at + 1}>`).join(' ');
    const texts = Texts.of(`${said} <PERSON_5003>`);
    expect(choose({ hidden: people('Ann', 'Bo', 'Cy'), texts })).toEqual({
      Ann: '<PERSON_5001>',
      Bo: '<PERSON_5002>',
      Cy: '<PERSON_5004>',
    });
    expect(looks).toBeLessThan(30);
  });

  it('continue with the numbers of the known ones', () => {
    const known = new StandIns();
    known.add([['<PERSON_1>', 'Ann']]);
    expect(choose({ hidden: people('Bo', 'Ann'), known })).toEqual({ Bo: '<PERSON_2>', Ann: '<PERSON_1>' });
  });

  it('keep separate series apart', () => {
    expect(choose({ hidden: people('Ann'), series: 'A' })).toEqual({ Ann: '<PERSON_A1>' });
  });

  it('skip numbers that are used in a long conversation, too', () => {
    const texts = [`${'a '.repeat(100_000)}<PERSON_1>`];
    const request = {
      style: 'reversible',
      hidden: people('Ann'),
      texts,
      known: new StandIns(),
      series: '',
    } as const;
    expect([...atOnce(chooseStandIns(request))]).toEqual([['Ann', '<PERSON_2>']]);
  });
});

describe('surrogate values', () => {
  const many = (type: string, count: number) =>
    Object.values(
      choose({
        style: 'surrogate',
        hidden: Array.from({ length: count }, (_, at) => ({ type, value: `v${at}` })),
      }),
    );

  it.each([
    ['PERSON', /^[A-Z][a-z]+ [A-Z][a-z]+$/],
    ['EMAIL_ADDRESS', /^[a-z]+\.[a-z]+@example\.(com|org|net)$/],
    ['PHONE_NUMBER', /^\+1 \d{3}-555-01\d\d$/],
    ['CREDIT_CARD', /^4242 42\d\d \d{4} \d{4}$/],
    ['IP_ADDRESS', /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/],
    ['URL', /^https:\/\/www\.example\.(com|org|net)\/page-\d+$/],
  ])('for %s are well formed and different', (type, form) => {
    const made = many(type, 300);
    for (const one of made) expect(one).toMatch(form);
    expect(new Set(made).size).toBe(300);
    if (type === 'CREDIT_CARD') for (const one of made) expect(luhn(one.replaceAll(' ', ''))).toBe(true);
  });

  it('are placeholders for a type without surrogate values, or when all are used', () => {
    expect(many('US_SSN', 1)).toEqual(['<US_SSN_1>']);
    expect(new Set(many('IP_ADDRESS', 800)).size).toBe(800);
  });

  it('are never values that occur in the conversation', () => {
    const [first, second] = many('PERSON', 2);
    expect(choose({ style: 'surrogate', hidden: people('Ann'), texts: [`I am ${first}.`] })).toEqual({
      Ann: second,
    });
  });
});
