import { describe, expect, it } from 'vitest';
import { draftOf } from './draft.js';

describe('the draft of a schema', () => {
  it.each([
    [{}, '2020-12'],
    [true, '2020-12'],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema' }, '2020-12'],
    [{ $schema: 'https://json-schema.org/draft/2019-09/schema' }, '2019-09'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, '07'],
    [{ $schema: 'http://json-schema.org/draft-07/schema' }, '07'],
    [{ $schema: 'https://json-schema.org/draft-07/schema#' }, '07'],
    [{ $schema: 'http://json-schema.org/draft-06/schema#' }, undefined],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, undefined],
    [{ $schema: 'https://example.com/own' }, undefined],
    [{ $schema: 7 }, undefined],
    [{ $schema: null }, undefined],
  ])('of %j is %s', (schema, expected) => {
    expect(draftOf(schema)).toBe(expected);
  });
});
