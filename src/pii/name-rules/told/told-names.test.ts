import { describe, expect, it } from 'vitest';
import { createDetector } from '../../detector.js';

const detector = createDetector({ language: 'en' });

function names(text: string, type = 'PERSON'): string[] {
  return detector
    .detectSync(text)
    .filter(({ entityType }) => entityType === type)
    .map(({ start, end }) => text.slice(start, end));
}

describe('names that what stands around tells', () => {
  it.each([
    ['We asked Sheikh Qorbaniyev Tulumbek about it.', ['Qorbaniyev Tulumbek']],
    ['I came with my wife Brankhildur, and left.', ['Brankhildur']],
    ['"No!" Kvistrup shouted.', ['Kvistrup']],
    ['Zhelka, could you send me the file?', ['Zhelka']],
    ['"Brandvold, Karim" <k@example.org>', ['Brandvold, Karim']],
    [
      'Adeyemo, Folake; Keller, Jonas; Brandvold, Lotte',
      ['Adeyemo, Folake', 'Keller, Jonas', 'Brandvold, Lotte'],
    ],
    ['Trần Thị Mai will meet Lê Văn Hùng.', ['Trần Thị Mai', 'Lê Văn Hùng']],
    [
      'Directors: Kwon, Eun-bi (appointed 1 July 2021); Ouyang, Lixin (resigned 30 June 2022).',
      ['Kwon, Eun-bi', 'Ouyang, Lixin'],
    ],
    ["O'Dowd, Ciara - present\nMutasa, Tendai - absent", ["O'Dowd, Ciara", 'Mutasa, Tendai']],
    [
      'We are seven: Ghetsa, Hannah, Anthony, Derek and Anna.',
      ['Ghetsa', 'Hannah', 'Anthony', 'Derek', 'Anna'],
    ],
  ])('are found in %j', (text, found) => {
    expect(names(text)).toEqual(found);
  });

  it.each([
    'It is 12 PM EST now.',
    'However, could you send me the file?',
    'My boss Monday meeting is over.',
    'We sell Apples, Oranges, Pears and Plums.',
    'Paris, France; London, England; Madrid, Spain',
  ])('are not made of other words: %j', (text) => {
    expect(names(text)).toEqual([]);
  });
});

describe('what is called like a person', () => {
  it.each([
    'The Princess Royal arrived this morning.',
    'We had lunch at Ray’s Pizza downtown.',
    'Hurricane Katrina hit the coast.',
    'Call Malcolm Smith Motorsports for that.',
    'Service was slow, but friendly.',
    'Shares of Burger King fell.',
    'Johnson & Johnson and Marks and Spencer declined.',
  ])('is none in %j', (text) => {
    expect(names(text)).toEqual([]);
  });
});

describe('places', () => {
  it('are whole with their kind, and end where a telephone begins', () => {
    expect(names('Oil from the Gulf of Mexico.', 'LOCATION')).toEqual(['Gulf of Mexico']);
    expect(names('She lives at 12 Baker Street, London Phone 555', 'LOCATION').join()).not.toContain('Phone');
  });

  it('are not nationalities, which stay what they are', () => {
    expect(names('Several Iraqi cities were hit.', 'LOCATION')).toEqual([]);
    expect(names('Several Iraqi cities were hit.', 'NRP')).toEqual(['Iraqi']);
  });

  it('are not languages that somebody learns', () => {
    expect(names('She was studying English and journalism.', 'NRP')).toEqual([]);
  });

  it('leave a surname to its name', () => {
    const text = 'Mrs. Diana Usamov Suite 913 12 Baker Street\nLondon';
    expect(names(text)).toEqual(['Diana Usamov']);
  });
});

describe('people of a list', () => {
  it.each([
    ["Seats: Pérez, Brandvold and O'Dwyer.", ['Pérez', 'Brandvold', "O'Dwyer"]],
    ['Owners: Lindgren (40 %), Okpara (35 %), Vandermeer', ['Lindgren', 'Okpara', 'Vandermeer']],
    ["Scorers: Osimhen 12', Mbeumo 90+2'", ['Osimhen', 'Mbeumo']],
    ['reviewers => Brandvold / Kipchumba', ['Brandvold', 'Kipchumba']],
    ['Crew:\n- Capt. Ingrid Aas\n- Mateus Figueira\n- Dolores', ['Ingrid Aas', 'Mateus Figueira', 'Dolores']],
  ])('are found with what is said of each: %j', (text, found) => {
    expect(names(text)).toEqual(found);
  });

  it('end where another sign stands, with another thing behind it', () => {
    expect(names('Zeugen: Lund, Oduya, Adair; Tatort Rostock')).toEqual(['Lund', 'Oduya', 'Adair']);
  });
});

describe('a word that is a name too', () => {
  it.each([
    'Frank exchange; Grant writing; Dawn chorus.',
    'There is a dot on the page.',
    'colors = ["Red", "Amber", "Violet"];\nsizes = ["Small"];',
  ])('is no person where it says what a thing is like: %j', (text) => {
    expect(names(text)).toEqual([]);
  });
});
