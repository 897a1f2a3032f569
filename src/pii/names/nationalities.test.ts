import { describe, expect, it } from 'vitest';
import { nameModel } from '../model/names.js';
import { placeOrNationality } from './nationalities.js';

const typeOf = (found: string, score: number) =>
  placeOrNationality(found, { type: 'LOCATION', start: 0, end: found.length, score }, nameModel().lists).type;

describe('a place that the lists know as a nationality alone', () => {
  it.each(['spanischen', 'Japans', 'italiana'])('%j is a nationality where its score is low', (found) => {
    expect(typeOf(found, 0.6)).toBe('NRP');
  });

  it('stays a place where the model is sure of it', () => {
    expect(typeOf('spanischen', 0.7)).toBe('LOCATION');
  });

  it.each(['Paris', 'Japan', 'spanischen Hafen'])('%j stays a place', (found) => {
    expect(typeOf(found, 0.6)).toBe('LOCATION');
  });
});
