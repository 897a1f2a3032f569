import { describe, expect, it } from 'vitest';
import { atOnce } from '../../core/pacing/steps.js';
import { addLogId, withLogId } from './frames.js';

describe('our field in an answer', () => {
  it.each([
    ['an object', '{"id":"a","n":1.0}', '{"inference_log_id":"log","id":"a","n":1.0}'],
    ['an empty object', ' { } ', '{"inference_log_id":"log"} '],
    ['spaces around members', '{ "id" : "a" }', '{"inference_log_id":"log","id" : "a" }'],
    ['one that has it', '{"id":"a","inference_log_id":"x"}', '{"id":"a","inference_log_id":"log"}'],
    [
      'one that has it, spelled with escapes',
      '{"inferenc\\u0065_log_id":"x","id":"\\u00e9"}',
      '{"inferenc\\u0065_log_id":"log","id":"\\u00e9"}',
    ],
  ])('is there once, and first where it was missing: %s', (_name, text, expected) => {
    expect(addLogId(text, 'log')).toBe(expected);
    expect(JSON.parse(addLogId(text, 'log'))).toMatchObject({ inference_log_id: 'log' });
  });

  it('is added to the value of an answer too, whose own members keep their meaning', () => {
    for (const text of ['{"id":"a","__proto__":{"model":"b"}}', '{"inference_log_id":"x","id":"a"}', '{}']) {
      const { text: written, value } = atOnce(withLogId({ text, value: JSON.parse(text) }, 'log'));
      expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(written)));
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });
});
