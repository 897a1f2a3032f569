import { describe, expect, it } from 'vitest';
import { partsOf, queryOfBranches } from './log-filter.js';
import { metadataTerm, metadataTerms } from './metadata-terms.js';

describe('a filter of logs', () => {
  it('always includes the project', () => {
    expect(queryOfBranches('p', [{}], [])).toEqual({ project_uid: 'p' });
    expect(queryOfBranches('p', [{ model: 'm' }], [{ feedback_count: 0 }])).toEqual({
      project_uid: 'p',
      $and: [{ model: 'm' }, { feedback_count: 0 }],
    });
    const branches = [{ tags: 'a' }, { tags: 'b' }];
    expect(queryOfBranches('p', branches, [])).toEqual({
      $or: [
        { project_uid: 'p', $and: [{ tags: 'a' }] },
        { project_uid: 'p', $and: [{ tags: 'b' }] },
      ],
    });
  });

  it('looks for each word, and for each key of metadata', () => {
    const isOneOrTwo = { 'metadata.n': { $in: ['1', 1, '2', 2], $not: { $type: 'array' } } };
    const filter = { q: 'an elephant', metadata: [{ key: 'n', values: ['1', '2'] }], has_feedback: false };
    const { indexed, others } = partsOf(filter);
    expect(indexed.map(({ conditions }) => conditions)).toEqual([
      [{ _words: 'an' }],
      [{ _words: 'elephant' }],
      [
        { tags: 'n:1', ...isOneOrTwo },
        { _metadata_terms: '#n:1', ...isOneOrTwo },
        { _metadata_terms: '["n","1"]' },
        { tags: 'n:2', ...isOneOrTwo },
        { _metadata_terms: '#n:2', ...isOneOrTwo },
        { _metadata_terms: '["n","2"]' },
      ],
    ]);
    expect(others).toEqual([{ feedback_count: 0 }]);
  });
});

describe('the terms of metadata', () => {
  it('distinguish keys and values, whatever they contain', () => {
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
