import { describe, expect, it } from 'vitest';
import { createDetector } from '../index.js';

const detector = createDetector({ language: 'en' });
const people = (text: string) =>
  detector
    .detectSync(text)
    .filter(({ entityType }) => entityType === 'PERSON')
    .map(({ start, end }) => text.slice(start, end));

describe('a list under a word that announces people', () => {
  it('may have surname and first name in each item', () => {
    expect(people('Attendees:\n- Nakamura, Yuki\n- Adeyemi, Folake\n- Lindqvist, Saga')).toEqual([
      'Nakamura, Yuki',
      'Adeyemi, Folake',
      'Lindqvist, Saga',
    ]);
  });

  it('may say the role of each, which is no part of the name', () => {
    expect(people('Guests:\n- Kowal, Treasurer\n- Ali, Chair')).toEqual(['Kowal', 'Ali']);
  });

  it('goes on behind a surname that begins in small letters', () => {
    expect(people('Guests:\n- van Dam, Pieter\n- de la Cruz, Inés\n- Oduya, Efua')).toEqual([
      'van Dam, Pieter',
      'de la Cruz, Inés',
      'Oduya, Efua',
    ]);
  });
});
