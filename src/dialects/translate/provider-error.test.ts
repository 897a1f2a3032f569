import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../core/json.js';
import { dialects } from '../index.js';
import { readAnyError, readErrorText } from './provider-error.js';

describe('the error of a provider', () => {
  it.each<[JsonValue, string]>([
    [{ object: 'error', message: 'too long', type: 'BadRequestError', code: 400 }, 'too long'],
    [{ error: { message: 'no' } }, 'no'],
    [{ error: 'no' }, 'no'],
    [{ detail: 'no' }, 'no'],
    [
      {
        detail: [
          { loc: ['body', 'x'], msg: 'bad' },
          { loc: ['body', 'y'], msg: 'worse' },
        ],
      },
      'body.x: bad; body.y: worse',
    ],
    [
      { object: 'error', message: { detail: [{ loc: ['body', 'stream_options', 0], msg: 'Extra inputs' }] } },
      'body.stream_options.0: Extra inputs',
    ],
    [[{ error: { code: 400, message: 'key not valid', status: 'INVALID_ARGUMENT' } }], 'key not valid'],
    [{ errors: [{ message: 'one' }, { message: 'two' }] }, 'one; two'],
    [{ error: { error: { message: 'deep' } } }, 'deep'],
    [{ title: 'Not Found', status: 404, type: 'about:blank' }, 'Not Found'],
  ])('has its message in %j', (value, message) => {
    expect(readAnyError(value)?.message).toBe(message);
    // Its own shape says more in one dialect; each finds the words of all others.
    for (const dialect of dialects) expect(dialect.readError(value)?.message).toBe(message);
  });

  it.each<JsonValue>([
    {},
    { unexpected: true },
    [],
    'text',
    null,
    { error: null },
    { error: {} },
    { message: '' },
  ])('is not found in %j', (value) => {
    expect(readAnyError(value)).toBeUndefined();
  });

  it('keeps type and code', () => {
    expect(readAnyError({ error: { message: 'm', type: 't', code: 429 } })).toEqual({
      message: 'm',
      type: 't',
      code: '429',
    });
  });

  it('has the text of an HTML page as its message, cut where it is long', () => {
    const page =
      '<!DOCTYPE html><html><head><title>502</title><style>p { }</style></head><body><h1>502 Bad&nbsp;Gateway</h1></body></html>';
    expect(readErrorText(page)).toEqual({ message: '502 502 Bad Gateway' });
    expect(readErrorText('x'.repeat(2_000))?.message).toBe(`${'x'.repeat(500)}…`);
    expect(readErrorText('  ')).toBeUndefined();
  });
});
