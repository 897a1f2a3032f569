import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

function people(text: string, language = 'en'): string[] {
  const found = createDetector({ language, entities: ['PERSON', 'LOCATION'] }).detectSync(text);
  return found.map(({ start, end }) => text.slice(start, end));
}

describe('a firm, brand or shop', () => {
  it.each([
    'T. Rowe Price shows 0.00 again, and Charles Schwab is n/a all day.',
    'Preisvergleich: Bosch bei Hornbach 149,90 €.',
    'is the douwe egberts still two for one?',
    'The May Gurney invoice was never marked as paid.',
    'Compare their fees with those of Arthur J. Gallagher & Co.',
  ])('is nobody and no place: %s', (text) => {
    expect(people(text)).toEqual([]);
  });

  it('that people are called like is one beside a price, goods or another firm', () => {
    expect(people('Ralph Lauren beat by 4 cents, Tiffany no longer listed.')).toEqual([]);
    expect(people('The Tiffany lamp is unsold.')).toEqual([]);
    expect(people('Tiffany said she would call Jackson.')).toEqual(['Tiffany', 'Jackson']);
  });

  it.each([
    ['My name is David Jones and I live alone.', 'David Jones'],
    ['I met Paul Mitchell yesterday, and he sent regards.', 'Paul Mitchell'],
    ['Hi, I am Kenneth Thorntons, the new tenant.', 'Kenneth Thorntons'],
    ['My name is Edward Jones.', 'Edward Jones'],
    ['Samuel Adams will call you back on Friday.', 'Samuel Adams'],
  ])('hides nobody with an ordinary name: %s', (text, name) => {
    expect(people(text)).toEqual([name]);
  });

  it('is somebody behind a title', () => {
    expect(people('Bitte rufen Sie Herrn Hornbach unter 0351 4478 2290 an.', 'de')).toContain('Hornbach');
  });
});
