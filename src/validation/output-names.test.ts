import { describe, expect, it } from 'vitest';
import { withoutOutputNames } from './output-names.js';

const schema = {
  type: 'object',
  properties: { 'a/b': { additionalProperties: { type: 'integer' } }, list: { items: { type: 'string' } } },
};

describe('what is told of a failure without names of the output', () => {
  it.each([
    ['', ''],
    ['/list/3', '/list/3'],
    ['/a~1b/anna@example.org', '/a~1b/*'],
    ['/choices/1/list', '/choices/1/list'],
    ['/anna/list/anna', '/*/list/*'],
  ])('has of the path %s the steps that the schema has', (path, told) => {
    expect(withoutOutputNames({ path, message: 'must be integer' }, schema)).toEqual({
      path: told,
      message: 'must be integer',
    });
  });

  it('has the rule alone', () => {
    const failure = { path: '', message: 'too many: "anna"', nameless: 'too many' };
    expect(withoutOutputNames(failure, schema).message).toBe('too many');
  });
});
