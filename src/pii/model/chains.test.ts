import { describe, expect, it } from 'vitest';
import { hashText } from './hash.js';
import { nextSegment } from './segments.js';
import { Sentence } from './sentence.js';
import { PAD } from './tokenize.js';
import { loadWeights } from './weights.js';

/** For each token, the first and the last word of the run of capitals it stands in. */
function runsOf(text: string): string[] {
  const sentence = new Sentence();
  nextSegment(text, 0, text.length, sentence.tokens);
  sentence.describe(text, loadWeights(), hashText('en'));
  const { tokens, word, first, last } = sentence;
  const words = Array.from({ length: tokens.count }, (_, i) => text.slice(tokens.start[i], tokens.end[i]));
  const wordOf = (hash: number) => words[word.subarray(PAD, PAD + tokens.count).indexOf(hash)] ?? '-';
  return words.map((_, i) => `${wordOf(first[i + PAD]!)} ${wordOf(last[i + PAD]!)}`);
}

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
