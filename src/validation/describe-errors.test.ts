import type { ErrorObject } from 'ajv';
import { describe, expect, it } from 'vitest';
import { describeErrors } from './describe-errors.js';

function error(instancePath: string, keyword: string, message: string, params = {}): ErrorObject {
  return { instancePath, keyword, message, params, schemaPath: '#' };
}

describe('the description of a failure', () => {
  it('tells the place and the rule', () => {
    expect(describeErrors([error('/a/0', 'type', 'must be string')])).toEqual({
      path: '/a/0',
      message: 'must be string',
    });
  });

  it('names the property that should not be there', () => {
    const { message, nameless } = describeErrors([
      error('', 'additionalProperties', 'must NOT have additional properties', { additionalProperty: 'b' }),
    ]);
    expect(message).toBe('must NOT have additional properties: "b"');
    expect(nameless).toBe('must NOT have additional properties');
  });

  it('describes, of several alternatives, the one that fitted best', () => {
    const failure = describeErrors([
      error('/a/kind', 'const', 'must be equal to constant'),
      error('/a/lines/0/count', 'type', 'must be integer'),
      error('/a', 'type', 'must be null'),
      error('/a', 'anyOf', 'must match a schema in anyOf'),
    ]);
    expect(failure.path).toBe('/a');
    expect(failure.message).toBe('must match a schema in anyOf; closest: /a/lines/0/count must be integer');
  });

  it('stays short, however long the names are', () => {
    const name = 'x'.repeat(1_000_000);
    const failure = describeErrors([
      error(`/${name}`, 'additionalProperties', `must not ${name}`, { additionalProperty: name }),
    ]);
    expect(failure.path.length).toBeLessThan(400);
    expect(failure.message.length).toBeLessThan(400);
  });
});
