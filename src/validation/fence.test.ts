import { describe, expect, it } from 'vitest';
import { unwrapFence } from './fence.js';

describe('a Markdown fence', () => {
  it.each([
    ['with a language', '```json\n{"a": 1}\n```', '{"a": 1}'],
    ['without one', '```\n[]\n```', '[]'],
    ['with space around', '\n  ```json  \r\n{}\r\n```\n', '{}'],
    ['of tildes', '~~~json\n{}\n~~~', '{}'],
    ['of four backticks', '````\n```\n````', '```'],
    ['with an indented end', '```\n{}\n  ```', '{}'],
    ['that is empty', '```json\n```', ''],
  ])('is removed, so that its content is left: %s', (_, text, inside) => {
    expect(unwrapFence(text)).toBe(inside);
  });

  it.each([
    ['there is none', '{"a": 1}'],
    ['text stands before', 'Here it is:\n```json\n{}\n```'],
    ['text stands behind', '```json\n{}\n```\nDone.'],
    ['it does not end', '```json\n{}'],
    ['it ends in the middle of a line', '```json\n{}```'],
    ['it is one line', '```{}```'],
    ['the first line is code', '```a`b\n{}\n```'],
    ['there are two backticks', '``\n{}\n``'],
    ['there is nothing', ''],
  ])('is left alone where %s', (_, text) => {
    expect(unwrapFence(text)).toBeUndefined();
  });

  it.each([
    ['<think>Let me see.</think>\n{"a":1}', '{"a":1}'],
    ['<think>\nLet me see.\n</think>\n\n```json\n{"a":1}\n```', '{"a":1}'],
    ['<thinking>x</thinking>[1]', '[1]'],
  ])('is found behind the thoughts of a model: %j', (text, inside) => {
    expect(unwrapFence(text)).toBe(inside);
  });

  it.each(['<think>Let me see.</think> No.', '<think>Let me see. {"a":1}', 'So <think>x</think>{"a":1}'])(
    'is not found in %j',
    (text) => {
      expect(unwrapFence(text)).toBeUndefined();
    },
  );
});
