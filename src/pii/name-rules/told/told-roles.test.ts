import { describe, expect, it } from 'vitest';
import { createDetector } from '../../detector.js';

function found(text: string, language = 'en'): string[] {
  return createDetector({ language, entities: ['PERSON', 'LOCATION', 'DATE_TIME'] })
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);
}

describe('what tells a name', () => {
  it.each([
    ['a role in brackets', 'The deed names Zephrine Brook (tenant) twice.', ['PERSON Zephrine Brook']],
    [
      'a number to call',
      'If it rings, call Quennell on extension or ring Quennell on 01632 960 111.',
      ['PERSON Quennell'],
    ],
    ['a nickname', 'They buried Thomas "Spud" Hargreave today.', ['PERSON Thomas "Spud" Hargreave']],
    [
      'the surname behind it',
      'The rota is done; Oluwaseyifunmi Adeyemi has the keys.',
      ['PERSON Oluwaseyifunmi Adeyemi'],
    ],
    ['the other half of a surname', 'Cordelia Pembury-Holt wrote it.', ['PERSON Cordelia Pembury-Holt']],
    [
      'fields of a call',
      'guest = Guest(first: "Zaida", last: "Qorvane")',
      ['PERSON Zaida', 'PERSON Qorvane'],
    ],
    [
      'authors in LaTeX',
      '\\author{Ragna Ostby \\and Pietro Lanzi}',
      ['PERSON Ragna Ostby', 'PERSON Pietro Lanzi'],
    ],
  ])('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ['de', 'Guten Tag, hier ist Ottokar zur Linde.', ['PERSON Ottokar zur Linde']],
    ['pt', 'O pedido foi feito por Jandira dos Anjos.', ['PERSON Jandira dos Anjos']],
  ])('a particle of surnames, in %s: %s', (language, text, expected) => {
    expect(found(text, language)).toEqual(expected);
  });

  it.each([
    ['Listening to Franz Ferdinand, the gig was great.'],
    ['We watched Erin Brockovich at the cinema.'],
    ['Casper, the mattress maker, has a sale.'],
    ['Standup is at nine, retro is at four.'],
    ['asked siri, then alexa, nobody knew'],
    ['The Honda is fine and the Suzuki is not.'],
  ])('nobody is found in %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('places', () => {
  it.each([
    [
      'beside another one',
      'The road between Pokhara and Baglung is closed.',
      ['LOCATION Pokhara', 'LOCATION Baglung'],
    ],
    ['before a site', 'He joined the Inverness depot.', ['LOCATION Inverness']],
    ['of several words with hyphens', 'They moved to Stow-on-the-Wold.', ['LOCATION Stow-on-the-Wold']],
  ])('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['el', 'ΔΡΑΜΑ', ['LOCATION ΔΡΑΜΑ']],
    ['ru', 'Мы были в Костроме.', ['LOCATION Костроме']],
  ])('of other scripts, in %s: %s', (language, text, expected) => {
    expect(found(text, language)).toEqual(expected);
  });
});
