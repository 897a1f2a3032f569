import { describe, expect, it } from 'vitest';
import { asksForJson } from './json-output.ts';

describe('an answer in JSON', () => {
  it.each([
    [{ response_format: { type: 'json_schema' } }, true],
    [{ response_format: { type: 'text' } }, false],
    [{ text: { format: { type: 'json_object' } } }, true],
    [{ output_config: { format: { type: 'json_schema' } } }, true],
    [{ generationConfig: { responseMimeType: 'application/json' } }, true],
    [null, false],
  ])('is asked for by %j: %s', (request, expected) => {
    expect(asksForJson({ request })).toBe(expected);
  });
});
