import { describe, expect, it } from 'vitest';
import { createDetector } from '../index.js';

const dates = createDetector({ entities: ['DATE_TIME'] });
const found = (text: string) => dates.detectSync(text).map(({ start, end }) => text.slice(start, end));
/** What stands in brackets is to be found, and nothing else. */
const split = (line: string) =>
  [line.replace(/[[\]]/g, ''), [...line.matchAll(/\[([^\]]*)\]/g)].map((match) => match[1])] as const;

describe('two numbers are day and month', () => {
  it.each([
    'come on [Wednesday 18/06], gate code at the desk',
    '[Wednesday 18/06]\nGate code at the desk',
    '[Mittwoch 18/06] kommt der Techniker',
    'il vient [mercredi 18/06] à midi',
    'viene el [miércoles 18/06]',
    'viene [mercoledì 18/06]',
    'vem [quarta-feira 18/06]',
    'de monteur komt [woensdag 18/06]',
    'moved from [Tues 3/6] to [Thurs 5/6]',
  ])('after a weekday: %s', (line) => {
    const [text, expected] = split(line);
    expect(found(text)).toEqual(expected);
  });

  it.each(['w/c [16/06]'])('after a word for a day: %s', (line) => {
    const [text, expected] = split(line);
    expect(found(text)).toEqual(expected);
  });

  it.each([
    'flat 14/02, top floor',
    'part 03/12 of the archive',
    'Urteil - B 8 SO 24/11 R - juris',
    '3/5 stars, would not buy again',
  ])('but not in %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

it.each([
  'pod failed after 3/5 retries',
  'by 2/3 votes the motion passed',
  'since 3/4 of the team left',
  'until 2/3 of them agree',
  'Tue 3/5 tests passed',
  'nach 3/5 Versuchen gab er auf',
  'après 3/5 tentatives, échec',
  'hasta 3/4 partes del total',
  'dopo 3/5 tentativi si ferma',
  'dal 2/3 dei voti',
])('a part of a total is not a date: %s', (text) => {
  expect(found(text)).toEqual([]);
});
