import { describe, expect, it } from 'vitest';
import { withoutOutputNames } from './output-names.js';

const schema = {
  type: 'object',
  properties: { 'a/b': { additionalProperties: { type: 'integer' } }, list: { items: { type: 'string' } } },
};

describe('the description of a failure that repeats no names from the output', () => {
  it.each([
    ['', ''],
    ['/list/3', '/list/3'],
    ['/a~1b/anna@example.org', '/a~1b/*'],
    ['/choices/1/list', '/choices/1/list'],
    ['/anna/list/anna', '/*/list/*'],
  ])('shows of the path %s only the steps that the schema names', (path, told) => {
    expect(withoutOutputNames({ path, message: 'must be integer' }, schema)).toEqual({
      path: told,
      message: 'must be integer',
    });
  });

  it('gives the rule alone where no path is known', () => {
    const failure = { path: '', message: 'too many: "anna"', nameless: 'too many' };
    expect(withoutOutputNames(failure, schema).message).toBe('too many');
  });
});
