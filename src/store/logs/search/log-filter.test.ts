import { describe, expect, it } from 'vitest';
import { toLogQuery } from './log-filter.js';
import { metadataTerm, metadataTerms } from './metadata-terms.js';

describe('a filter of logs', () => {
  it('always names the project', () => {
    expect(toLogQuery('p', {})).toEqual({ project_uid: 'p' });
    expect(toLogQuery('p', { model: ['m'], has_feedback: false })).toEqual({
      project_uid: 'p',
      $and: [{ model: 'm' }, { feedback_count: 0 }],
    });
  });

  it('looks for each word, and for each key of metadata', () => {
    const isOneOrTwo = { 'metadata.n': { $in: ['1', 1, '2', 2], $not: { $type: 'array' } } };
    const filter = { q: 'an elephant', metadata: [{ key: 'n', values: ['1', '2'] }] };
    const found = (branch: object) => ({
      project_uid: 'p',
      $and: [branch, { _words: 'an' }, { _words: 'elephant' }],
    });
    expect(toLogQuery('p', filter)).toEqual({
      $or: [
        found({ tags: 'n:1', ...isOneOrTwo }),
        found({ _metadata_terms: '#n:1', ...isOneOrTwo }),
        found({ _metadata_terms: '["n","1"]' }),
        found({ tags: 'n:2', ...isOneOrTwo }),
        found({ _metadata_terms: '#n:2', ...isOneOrTwo }),
        found({ _metadata_terms: '["n","2"]' }),
      ],
    });
  });
});

describe('the terms of metadata', () => {
  it('tell keys and values apart, whatever they hold', () => {
    const terms = metadataTerms(
      JSON.parse('{"a":"b","a\\",\\"b":"","":"a","n":1,"t":true,"z":null,"__proto__":"p","o":{},"l":[]}'),
    );
    expect(new Set(terms).size).toBe(7);
    expect(terms).toContain(metadataTerm('n', '1'));
    expect(terms).toContain(metadataTerm('z', 'null'));
    expect(terms).toContain(metadataTerm('__proto__', 'p'));
  });

  it('stay short for long values', () => {
    const long = metadataTerm('key', 'x'.repeat(60_000));
    expect(long.length).toBeLessThan(60);
    expect(long).not.toBe(metadataTerm('key', `${'x'.repeat(60_000)}y`));
  });
});
