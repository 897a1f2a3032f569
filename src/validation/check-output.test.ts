import { describe, expect, it } from 'vitest';
import { checkOutput } from './check-output.js';
import type { Validator } from './schema/load-validator.js';

const accept: Validator = () => true;

describe('the check of an output', () => {
  it.each(['{}', ' [1] \n', '"text"', '0', 'null', '['.repeat(1000) + ']'.repeat(1000)])(
    'reads JSON: %j',
    (text) => {
      expect(checkOutput(accept, text)).toEqual({ valid: true });
    },
  );

  it.each([
    ['', 'the output is empty; JSON was expected'],
    [' \n', 'the output is empty; JSON was expected'],
    ['{"a": 1', 'the output is not JSON: '],
    ['{"secret": sk-12345678}', 'the output is not JSON'],
    ['Sure! Here it is: {}', 'the output is not JSON'],
    ['```json\n{}\n```', 'the output is not JSON: it is wrapped in a Markdown fence'],
    ['\ufeff{}', 'the output is not JSON'],
    ['{} {}', 'the output is not JSON'],
    ['NaN', 'the output is not JSON'],
  ])('says why %j is not JSON, without repeating it', (text, message) => {
    const result = checkOutput(accept, text);
    expect(result).toMatchObject({ valid: false, path: '', message: expect.stringContaining(message) });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(JSON.stringify(result)).not.toContain('Sure');
  });

  it('treats an output that overflows the stack as invalid', () => {
    const overflow: Validator = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    expect(checkOutput(overflow, '[]')).toMatchObject({ valid: false, path: '' });
  });

  it('remembers nothing of an output that failed', () => {
    const refuse: Validator = () => false;
    refuse.errors = [
      { instancePath: '/a', keyword: 'type', message: 'must be string', params: {}, schemaPath: '' },
    ];
    expect(checkOutput(refuse, '[]')).toEqual({ valid: false, path: '/a', message: 'must be string' });
    expect(refuse.errors).toBeNull();
  });
});
