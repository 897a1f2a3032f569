import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const found = (text: string, language = 'en') =>
  createDetector({ language })
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

describe('nobody and no place is what', () => {
  it.each([
    ['an illness is called', "Family history of Alzheimer's and Huntington's, past Bell's palsy."],
    ['a test is called', 'Positive Babinski, Holter for 48 hours, Glasgow coma scale 14.'],
    ['a method is called', "Newton's method, Taylor series, Euler angles and the Pareto front."],
    ['a dish is called', 'We had beef Wellington, Peking duck, Bakewell tart and peach Melba.'],
    ['a drink is called', 'I want a Tom Collins, a Moscow Mule or an Earl Grey.'],
    ['a room is called after somebody', 'La salle Mozart est libre.'],
    [
      'a method of programs is called',
      'Gibbs sampling, the Adam optimizer, a Bloom filter and Nesterov momentum.',
    ],
    ['never lived', 'Rapunzel, Gandalf and Snow White left Mordor.'],
    ['a tool is called', 'Bring a Stillson wrench, the Geiger counter and a Roland synth.'],
    ['a dog or a plant is called', "Jack Russell puppies, St John's wort and Queen Anne's lace."],
    ['a room is called', 'We sit in meeting room Lisbon, not in conference room Oslo.'],
    ['a team is called', 'Utah Jazz and San Antonio Spurs tickets'],
    ['a relative is called by others', "Auntie's postcard was lovely."],
    ['an error quotes', "Class 'Victoria' has no member; name 'Carmen' is not defined"],
    ['a program does not know', 'undefined: Madison'],
    ['a line of a patch imports', "-import Mark from './Mark.vue'"],
    ['somebody is to do', 'Grant read access to it. Wade through the docs. Pierce the film lid.'],
    ['goes up', 'i rose at five and prices rose again'],
    ['builds programs', 'We went Hudson -> Jenkins -> Travis, and half the jobs live in Tekton.'],
  ])('%s: %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['fr', 'Relu avec Clémence ce matin.', ['PERSON Clémence']],
    ['nl', 'Kunnen jullie de contributie voortaan afschrijven?', []],
    ['en', 'Mr Parkinson called. Bell is here.', ['PERSON Parkinson', 'PERSON Bell']],
    ['en', 'Mark Wellington met Grant.', ['PERSON Mark Wellington', 'PERSON Grant']],
    ['en', "User 'Carmen' is not active.", ['PERSON Carmen']],
    ['en', 'We live in Utah, a room in Berlin.', ['LOCATION Utah', 'LOCATION Berlin']],
  ])('but people and towns are, in %s: %s', (language, text, names) => {
    expect(found(text, language)).toEqual(names);
  });
});

describe('a nationality', () => {
  it.each([
    ['en', 'Is a French cookbook a dumb present? She makes Turkish coffee.'],
    ['fr', 'Un fromage suisse et une voiture allemande ?'],
    ['de', 'Wir essen italienischen Käse.'],
    ['it', 'Ho una macchina tedesca.'],
  ])('of goods says nothing of anybody, in %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([]);
  });

  it.each([
    ['en', 'An Italian farmer spoke.', ['NRP Italian']],
    ['fr', "Seo Min-jae, l'étudiant coréen, dort ici.", ['PERSON Seo Min-jae', 'NRP coréen']],
  ])('is that of people, in %s: %s', (language, text, expected) => {
    expect(found(text, language)).toEqual(expected);
  });
});
