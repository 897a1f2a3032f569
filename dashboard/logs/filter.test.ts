import { describe, expect, it } from 'vitest';
import {
  filterBody,
  filterOf,
  readCondition,
  readConditions,
  readMoment,
  withCondition,
  withoutCondition,
} from './filter.ts';

describe('a condition that was written', () => {
  it.each([
    ['tag:tier:pro', ['tags_all', 'tier:pro']],
    ['status:error', ['status', 'error']],
    ['metadata.user id=a=b', ['metadata.user id', 'a=b']],
    ['two words', ['q', 'two words']],
    ['http://a.b', ['q', 'http://a.b']],
  ])('is understood: %s', (text, condition) => expect(readCondition(text)).toEqual(condition));

  it('can be one of several in a line, with words among them', () => {
    expect(readConditions('status:error model:local slower-than:2s refund "late parcel" tag:"a b"')).toEqual([
      ['status', 'error'],
      ['model', 'local'],
      ['min_duration_ms', '2000'],
      ['tags_all', 'a b'],
      ['q', 'refund late parcel'],
    ]);
    expect(readConditions('  ')).toEqual([]);
  });

  it.each(['', '  ', 'tag:', 'from:yesterday-ish', 'slower-than:soon', 'min-cost:much'])(
    'is not recognized in %j',
    (text) => expect(readCondition(text)).toBeUndefined(),
  );

  it('counts times back from now', () => {
    const now = Date.parse('2026-01-02T00:00:00Z');
    expect(readMoment('24h', now)).toBe('2026-01-01T00:00:00.000Z');
    expect(readMoment('2026-01-01T10:00:00+02:00')).toBe('2026-01-01T08:00:00.000Z');
  });
});

describe('a filter', () => {
  it('keeps several values where several are allowed, and the last one where not', () => {
    let filter = withCondition(new URLSearchParams(), 'tags_all', 'a');
    filter = withCondition(filter, 'tags_all', 'b,c');
    filter = withCondition(withCondition(filter, 'q', 'one'), 'q', 'two');
    expect([...filter]).toEqual([
      ['tags_all', 'a'],
      ['tags_all', 'b,c'],
      ['q', 'two'],
    ]);
    expect([...withoutCondition(filter, 'tags_all', 'a')]).toHaveLength(2);
  });

  it('ignores what is not a filter', () => {
    expect(filterOf(new URLSearchParams('tags_any=a&peek=1&metadata.x=2')).toString()).toBe(
      'tags_any=a&metadata.x=2',
    );
  });

  it('has in a request body the types that the API expects', () => {
    const filter = new URLSearchParams(
      'tags_all=a&tags_all=b&has_feedback=false&min_score=-0.5&q=x&metadata.n=1&min_duration_ms=5&stream=true',
    );
    expect(filterBody(filter)).toEqual({
      tags_all: ['a', 'b'],
      has_feedback: false,
      min_score: -0.5,
      q: 'x',
      'metadata.n': ['1'],
      min_duration_ms: 5,
      stream: true,
    });
  });
});
