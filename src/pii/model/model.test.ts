import { describe, expect, it } from 'vitest';
import {
  baseUnit,
  CLASS_DIGIT,
  CLASS_LETTER,
  CLASS_MARK,
  CLASS_NEWLINE,
  CLASS_OTHER,
  CLASS_SPACE,
  CLASS_UPPER,
  charClass,
  lowerUnit,
} from './characters.js';
import { Gazetteer, LIST_CITY, LIST_FIRST_NAME, wordKey } from './gazetteer.js';
import { hashText } from './hash.js';
import { isAllowed, LABELS } from './labels.js';
import { type NameSpan, nameModel } from './names.js';
import { nextSegment } from './segments.js';
import { MAX_TOKENS } from './sentence.js';
import { makeTokens, tokenize } from './tokenize.js';
import { loadWeights, readWeights } from './weights.js';

function tokens(text: string): string[] {
  const found = makeTokens(100);
  tokenize(text, 0, text.length, found);
  return Array.from({ length: found.count }, (_, i) => text.slice(found.start[i], found.end[i]));
}

function names(text: string, language = 'en'): string[] {
  const found: NameSpan[] = [];
  for (let at = 0; at < text.length; ) at = nameModel().readSegment(text, at, text.length, language, found);
  return found
    .filter(({ score }) => score >= 0.5)
    .map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);
}

describe('characters', () => {
  it.each([
    ['a', CLASS_LETTER],
    ['ß', CLASS_LETTER],
    ['É', CLASS_UPPER],
    ['Ж', CLASS_UPPER],
    ['語', CLASS_LETTER],
    ['7', CLASS_DIGIT],
    ['\u0301', CLASS_MARK],
    ['\u00a0', CLASS_SPACE],
    ['\n', CLASS_NEWLINE],
    ['×', CLASS_OTHER],
    ['-', CLASS_OTHER],
  ])('%j is of class %i', (char, expected) => {
    expect(charClass[char.charCodeAt(0)]).toBe(expected);
  });

  it('have a lower case and a base letter', () => {
    const of = (table: Uint16Array, char: string) => String.fromCharCode(table[char.charCodeAt(0)]!);
    expect(of(lowerUnit, 'Ž')).toBe('ž');
    expect(of(baseUnit, 'Ž')).toBe('z');
    expect(of(baseUnit, 'Ł')).toBe('l');
    expect(of(baseUnit, '語')).toBe('語');
  });
});

describe('tokens', () => {
  it('are words, numbers, line breaks and marks', () => {
    expect(tokens("L'été à Aix-en-Provence,\n\n12b 😀")).toEqual([
      'L',
      "'",
      'été',
      'à',
      'Aix',
      '-',
      'en',
      '-',
      'Provence',
      ',',
      '\n\n',
      '12',
      'b',
      '😀',
    ]);
  });

  it('keep combining marks with their letter', () => {
    expect(tokens('cafe\u0301 x')).toEqual(['cafe\u0301', 'x']);
  });

  it('are cut when they are very long', () => {
    expect(tokens('a'.repeat(150)).map((token) => token.length)).toEqual([64, 64, 22]);
  });
});

describe('stretches of long text', () => {
  it('end at a sentence or a line, and together are the whole', () => {
    const text = 'One two three four five. '.repeat(200);
    const found = makeTokens(MAX_TOKENS);
    for (let at = 0; at < text.length; ) {
      const next = nextSegment(text, at, text.length, found);
      expect(next).toBeGreaterThan(at);
      if (next < text.length) expect(text[next - 1]).toBe('.');
      at = next;
    }
  });
});

describe('word lists', () => {
  const { gazetteer } = loadWeights();
  const find = (word: string) => gazetteer.find(wordKey(word, 0, word.length));

  it('know words whatever their case and accents', () => {
    expect(find('Maria') & LIST_FIRST_NAME).not.toBe(0);
    expect(find('MARÍA')).toBe(find('maria'));
    expect(find('Zürich') & LIST_CITY).not.toBe(0);
  });

  it('give 0 for a word in none', () => {
    expect(find('qzxvwk')).toBe(0);
    expect(new Gazetteer(new Uint16Array(8), new Uint16Array(8)).find(5)).toBe(0);
  });
});

describe('clusters of words', () => {
  const { clusters } = loadWeights();
  const path = (word: string, language = 'en') =>
    clusters.find(hashText(word.toLowerCase()), hashText(language), /^\p{Lu}/u.test(word));

  it('are the same for words that stand among the same words', () => {
    expect(path('London')).toBe(path('Paris'));
    expect(path('Paris', 'es')).toBe(path('Chicago', 'es'));
    expect(path('Lazio')).not.toBe(path('London'));
  });

  it('part a name from the ordinary word of the same letters', () => {
    expect(path('will')).not.toBe(path('Will'));
  });

  it('are the English ones for names in a language that has none, and none for its ordinary words', () => {
    expect(path('London', 'fr')).toBe(path('London'));
    expect(path('de', 'fr')).toBe(0);
  });

  it('give 0 for a word that has none', () => {
    expect(path('Qzxvwk')).toBe(0);
  });
});

describe('labels', () => {
  it('allow the inside of a name only after its beginning or inside', () => {
    const allowed = LABELS.map(
      (from, x) => LABELS.filter((_, y) => isAllowed(x, y)).includes('I-PERSON') && from,
    );
    expect(allowed.filter(Boolean)).toEqual(['B-PERSON', 'I-PERSON']);
  });
});

describe('the model file', () => {
  it('of another format is refused', () => {
    expect(() => readWeights(new Uint8Array(64))).toThrow('unknown format');
  });
});

describe('names', () => {
  it.each([
    ['en', 'Please call Laura Stevenson in Chicago.', ['PERSON Laura Stevenson', 'LOCATION Chicago']],
    ['es', 'Soy Carmen Ruiz y vivo en Sevilla.', ['PERSON Carmen Ruiz', 'LOCATION Sevilla']],
    ['de', 'Herr Stefan Krüger wohnt in Leipzig.', ['PERSON Stefan Krüger', 'LOCATION Leipzig']],
    ['fr', 'Je suis Camille Durand et je vis à Lyon.', ['PERSON Camille Durand', 'LOCATION Lyon']],
    ['it', 'Mi chiamo Giulia Ferrari e abito a Torino.', ['PERSON Giulia Ferrari', 'LOCATION Torino']],
    ['en', 'my name is laura stevenson', ['PERSON laura stevenson']],
    ['de', 'Meine Frau ist katholisch.', ['NRP katholisch']],
    ['it', 'Mio marito è francese.', ['NRP francese']],
    ['en', 'Restart the Kafka cluster and open a ticket.', []],
  ])('%s: %s', (language, text, expected) => {
    expect(names(text, language)).toEqual(expected);
  });

  it('are the same when asked twice', () => {
    const text = 'Laura Stevenson met Carmen Ruiz in Lyon.';
    expect(names(text)).toEqual(names(text));
  });
});

describe('sums of weights', () => {
  it('that are kept are those that are made anew', () => {
    const texts = ['Ada Lovelace met Charles Babbage in London.', 'ada met babbage', 'IN LONDON'];
    const alone = texts.map((text) => names(text));
    expect(texts.map((text) => names(text))).toEqual(alone);
    expect(names(`${texts.join('\n')}\n`.repeat(40)).slice(0, 3)).toEqual(alone[0]);
  });
});
