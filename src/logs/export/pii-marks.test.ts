import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import type { LogRecord } from '../../core/log-record.js';
import { markedLines, mistakesIn, type PiiMark } from './pii-marks.js';
import type { RatingSignal } from './rated-log.js';
import type { TextToMark } from './texts-to-mark.js';

const texts: TextToMark[] = [
  { phase: 'request', place: '/0/parts/0/text', role: 'user', text: '🙂 I am Ann Lee.' },
  { phase: 'response', place: '/0/parts/0/text', role: 'assistant', text: 'Hello.' },
];
const ann: PiiMark = { phase: 'request', place: '/0/parts/0/text', start: 8, end: 15, type: 'PERSON' };
const isType = (type: string) => type === 'PERSON';

describe('marks are refused', () => {
  it.each([
    ['marks.0.place', 'is no text of the response', { ...ann, phase: 'response', place: '/1' }],
    ['marks.0.type', 'is no type of the detector', { ...ann, type: 'NAME' }],
    ['marks.0.end', 'the text has 16 UTF-16 units', { ...ann, end: 17 }],
    ['marks.0.start', 'is not below `end`', { ...ann, start: 15 }],
    ['marks.0', 'inside a character', { ...ann, start: 1 }],
  ])('at %s, which %s', (path, message, mark) => {
    expect(mistakesIn([mark as PiiMark], texts, isType)).toEqual([
      { path, message: expect.stringContaining(message) },
    ]);
  });

  it('where they overlap', () => {
    const other = { ...ann, start: 12, end: 16 };
    expect(mistakesIn([other, ann], texts, isType)).toEqual([
      { path: 'marks.0', message: 'overlaps another mark' },
    ]);
  });

  it('not where they are beside each other, in other texts, or unsure', () => {
    const answer = { ...ann, phase: 'response' as const, start: 0, end: 5 };
    const unsure = { ...ann, start: 0, end: 8, type: '_IGNORE' };
    expect(mistakesIn([ann, answer, unsure], texts, isType)).toEqual([]);
  });
});

describe('the lines of a marked log', () => {
  const record = { _id: 'log' } as LogRecord;
  const signal = (metadata: JsonObject, signal_name = 'pii_marks') =>
    ({ signal_name, metadata }) as unknown as RatingSignal;
  const anns = signal({ annotator: 'anna', queue: 'a', marks: [{ ...ann }] });

  it('have each text with its marks in code points, also where nothing is marked', () => {
    expect(markedLines({ record, signals: [anns] }, texts, undefined)).toEqual([
      {
        text: texts[0]!.text,
        spans: [{ start: 7, end: 14, entity_type: 'PERSON' }],
        log_id: 'log',
        phase: 'request',
        place: '/0/parts/0/text',
        annotator: 'anna',
      },
      expect.objectContaining({ text: 'Hello.', spans: [], phase: 'response' }),
    ]);
  });

  it('are those of each person, or of one queue alone', () => {
    const bens = signal({ annotator: 'ben', queue: 'b', marks: [] });
    const people = (queue?: string) =>
      markedLines({ record, signals: [anns, bens] }, texts, queue).map(({ annotator }) => annotator);
    expect(people()).toEqual(['anna', 'anna', 'ben', 'ben']);
    expect(people('b')).toEqual(['ben', 'ben']);
  });

  it('leave out feedback of another form', () => {
    const others = [signal({ marks: [{ ...ann }] }, 'helpful'), signal({}), signal({ marks: 3 })];
    expect(markedLines({ record, signals: others }, texts, undefined)).toEqual([]);
    const odd = signal({ marks: [null, { start: 1 }, { ...ann }] });
    expect(markedLines({ record, signals: [odd] }, texts, undefined)[0]!.spans).toHaveLength(1);
  });
});
