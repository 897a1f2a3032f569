import { describe, expect, it } from 'vitest';
import { readKeyText } from './key-text.js';

describe('the key of a request', () => {
  it.each([
    [{ authorization: 'Bearer sk-1' }, 'sk-1'],
    [{ authorization: 'bearer   sk-1 ' }, 'sk-1'],
    [{ 'x-api-key': 'sk-2' }, 'sk-2'],
    [{ authorization: 'Bearer sk-1', 'x-api-key': 'sk-2' }, 'sk-1'],
    // Of a proxy in front of us, say.
    [{ authorization: 'Basic dXNlcg==', 'x-api-key': 'sk-2' }, 'sk-2'],
    [{ authorization: 'Basic dXNlcg==' }, undefined],
    [{ authorization: 'Bearer ', 'x-api-key': '' }, undefined],
    [{ 'x-api-key': ['sk-1', 'sk-2'] }, undefined],
    [{}, undefined],
  ])('in the headers %j is %s', (headers, key) => {
    expect(readKeyText(headers)).toBe(key);
  });
});
