import { describe, expect, it } from 'vitest';
import { applyContext } from './context.js';
import { ContextWords } from './context-words.js';
import { createDetector } from './index.js';
import { type Candidate, candidate } from './recognizer.js';

const text = 'the passport number 512345678 and the order 512345678';
const words = new ContextWords(['passport', 'passport number']);

function aCandidate(more: Partial<Candidate> = {}): Candidate {
  return candidate({
    entityType: 'US_PASSPORT',
    start: 20,
    end: 29,
    score: 0.15,
    recognizer: 'us-passport',
    pattern: 'digits',
    context: words,
    ...more,
  });
}

function weighed(...found: Candidate[]): Candidate[] {
  applyContext(text, found, undefined);
  return found;
}

describe('a context word', () => {
  it('adds 0.35 to the score, and the longest of the nearest is named', () => {
    expect(weighed(aCandidate())[0]).toMatchObject({
      score: 0.5,
      contextWord: 'passport number',
      contextDistance: 1,
    });
  });

  it('raises the score to 0.4 at least and to 1 at most', () => {
    expect(weighed(aCandidate({ score: 0.01, baseScore: 0.01 }))[0]!.score).toBe(0.4);
    expect(weighed(aCandidate({ score: 0.8, baseScore: 0.8 }))[0]!.score).toBe(1);
  });

  it('does not change a score of 1', () => {
    expect(weighed(aCandidate({ score: 1, validation: 'passed' }))[0]).toMatchObject({
      score: 1,
      contextWord: 'passport number',
    });
  });

  it('counts only as a whole word', () => {
    const found = [aCandidate({ start: 12, end: 21 })];
    applyContext('passports? 512345678', found, undefined);
    expect(found[0]!.contextWord).toBeUndefined();
  });

  it('may be directly after the value, but not beyond the end of a clause', () => {
    const wordIn = (after: string) => {
      const found = [aCandidate({ start: 0, end: 9 })];
      applyContext(`512345678${after}`, found, undefined);
      return found[0]!.contextWord;
    };
    expect(wordIn(' (passport)')).toBe('passport');
    expect(wordIn('; passport')).toBeUndefined();
  });
});

describe('a word that names something else', () => {
  it('lowers the score of a number whose checksum is right by chance', () => {
    const found = weighed(
      aCandidate({
        entityType: 'AU_TFN',
        start: 44,
        end: 53,
        score: 1,
        validation: 'passed',
        context: new ContextWords(['tfn']),
        isChance: true,
      }),
    );
    expect(found[0]).toMatchObject({ score: 0.4, reason: expect.stringContaining('another kind') });
  });

  it('gives the number to the type with the nearer word', () => {
    const rival = aCandidate({
      entityType: 'US_SSN',
      score: 0.3,
      baseScore: 0.3,
      context: new ContextWords(['the']),
    });
    const [passport, ssn] = weighed(aCandidate(), rival).sort((a, b) =>
      a.entityType.localeCompare(b.entityType),
    );
    expect(passport!.score).toBe(0.5);
    expect(ssn).toMatchObject({ score: 0.3, reason: expect.stringContaining('US_PASSPORT') });
  });

  it('outweighs a word of the caller, which is for every type', () => {
    const other = aCandidate({
      entityType: 'UK_NHS',
      score: 1,
      validation: 'passed',
      isChance: true,
      context: new ContextWords(['nhs']),
    });
    const found = [aCandidate(), other];
    applyContext(text, found, new ContextWords(['passport number']));
    expect(found.map(({ entityType, score }) => [entityType, score])).toEqual([
      ['US_PASSPORT', 0.5],
      ['UK_NHS', 0.4],
    ]);
  });

  it('does not affect a strong checksum', () => {
    const card = aCandidate({
      entityType: 'CREDIT_CARD',
      start: 44,
      end: 53,
      score: 1,
      validation: 'passed',
      isChance: false,
    });
    expect(weighed(card)[0]!.score).toBe(1);
  });
});

describe('an answer', () => {
  const detector = createDetector();
  const found = (text: string) =>
    detector.detectSync(text).map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

  it.each([
    [
      'Agent: And your social security number and mailing address?\nCustomer: 327763888, thanks',
      'US_SSN 327763888',
    ],
    ['Bot: Please enter your passport number.\nUser: 474447968', 'US_PASSPORT 474447968'],
    ['Agent: ITIN please\nCustomer: 926885515', 'US_ITIN 926885515'],
  ])('uses the words of the question before it: %j', (text, finding) => {
    expect(found(text)).toEqual([finding]);
  });

  it('does not use the words of a question for another kind of number', () => {
    expect(found('Agent: What is the order number?\nMe: 327763888')).toEqual([]);
  });
});
