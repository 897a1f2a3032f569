import { describe, expect, it } from 'vitest';
import type { NameSpan } from '../name-span.js';
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
import { isAllowed, LABELS } from './labels.js';
import { nameModel } from './names.js';
import { FORMAT, loadWeights, MAGIC, readWeights } from './weights.js';

const { kernel } = loadWeights();

/** Takes a stretch of `text` from `from` on; gives its tokens and where the next one begins. */
function takeStretch(text: string, from = 0): { tokens: string[]; next: number } {
  const end = Math.min(text.length, from + 4200);
  kernel.copy(text, from, end, 0);
  const next = from + kernel.exports.takeStretch(end - from);
  const tokens = Array.from({ length: kernel.exports.tokenCount() }, (_, i) => {
    const { start, end } = kernel.token(i);
    return text.slice(from + start, from + end);
  });
  return { tokens, next };
}

function tokens(text: string): string[] {
  return takeStretch(text).tokens;
}

/** For each token, the first and the last word of the run of capitals it stands in. */
function runsOf(text: string): string[] {
  const words = tokens(text);
  kernel.describe('en');
  const found = words.map((_, i) => kernel.token(i));
  const wordOf = (hash: number) => words[found.findIndex(({ word }) => word === hash)] ?? '-';
  return found.map(({ first, last }) => `${wordOf(first)} ${wordOf(last)}`);
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
    for (let at = 0; at < text.length; ) {
      const { next } = takeStretch(text, at);
      expect(next).toBeGreaterThan(at);
      if (next < text.length) expect(text[next - 1]).toBe('.');
      at = next;
    }
  });
});

describe('the run of capitals of a token', () => {
  it.each([
    ['one word', 'in Leeds today', ['- -', 'Leeds Leeds', '- -']],
    ['several', 'the Kamerun Campaign', ['- -', 'Kamerun Campaign', 'Kamerun Campaign']],
    ['with a particle between', 'Bank of England', Array(3).fill('Bank England')],
    ['with a hyphen between', 'Deir-Zor fell', [...Array(3).fill('Deir Zor'), '- -']],
    ['not past a comma', 'Paris, Texas', ['Paris Paris', '- -', 'Texas Texas']],
    ['not with the hyphen behind it', 'Paris- bound', ['Paris Paris', '- -', '- -']],
  ])('%s', (_, text, runs) => {
    expect(runsOf(text)).toEqual(runs);
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
  const path = (word: string, language = 'en') => {
    takeStretch(word);
    kernel.describe(language);
    return kernel.token(0).cluster;
  };

  it('are the same for words that stand among the same words', () => {
    expect(path('London')).toBe(path('Paris'));
    expect(path('Paris', 'es')).toBe(path('Chicago', 'es'));
    expect(path('Lazio')).not.toBe(path('London'));
    expect(path('Röttgen', 'de')).toBe(path('Schröder', 'de'));
  });

  it('part a name from the ordinary word of the same letters', () => {
    expect(path('will')).not.toBe(path('Will'));
  });

  it('of names are those of another language where a language has none, and ordinary words have none then', () => {
    expect(path('London', 'fr')).toBe(path('London', 'es'));
    expect(path('London', 'nl')).toBe(path('London', 'de'));
    expect(path('Neckarsulm')).toBe(path('Neckarsulm', 'de'));
    expect(path('Neckarsulm')).not.toBe(0);
    expect(path('und', 'nl')).toBe(0);
  });

  it('of an owner are those of the name: `Röttgens` is Röttgen’s', () => {
    expect(path('Röttgens', 'de')).toBe(path('Röttgen', 'de'));
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

describe('the lines of a comment', () => {
  const read = (text: string, ranges: number[]) => {
    const found: NameSpan[] = [];
    nameModel().readRanges(text, ranges, 'en', found);
    return found.map(({ start, end }) => text.slice(start, end));
  };

  it('are read as one text, with the places of their names', () => {
    const lines = ['// Please call Carmen', '// Ruiz, who lives in Chicago.', '// Ask Peter Miller.'];
    const text = lines.join('\n');
    const ranges = lines.flatMap((line) => [text.indexOf(line) + 3, text.indexOf(line) + line.length]);
    expect(read(text, ranges)).toEqual(expect.arrayContaining(['Chicago', 'Peter Miller']));
  });

  it('may be more than a stretch holds', () => {
    const line = 'Laura Stevenson lives in Chicago. ';
    const text = `${line.repeat(400)}\n${line}`;
    const found = read(text, [0, text.indexOf('\n'), text.indexOf('\n') + 1, text.length]);
    expect(found.filter((name) => name === 'Chicago')).toHaveLength(401);
  });

  it('may have more blanks than a stretch has room for', () => {
    const piece = `Please call Peter Miller.${' '.repeat(4000)}\n`;
    const text = piece.repeat(20);
    const ranges = Array.from({ length: 20 }, (_, k) => [
      k * piece.length,
      (k + 1) * piece.length - 1,
    ]).flat();
    expect(read(text, ranges)).toHaveLength(20);
  });
});

describe('the model file', () => {
  it('of another format is refused', () => {
    expect(() => readWeights(new Uint8Array(64))).toThrow('unknown format');
  });

  it('with more slots than a hash can tell apart is refused', () => {
    const header = new Uint32Array([MAGIC, FORMAT, 4096, 2 ** 20, 0, 8, 1, 0]);
    expect(() => readWeights(new Uint8Array(header.buffer))).toThrow('more than 524288 slots');
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
    ['nl', 'In september en op 14 augustus was het koud in Utrecht.', ['LOCATION Utrecht']],
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
