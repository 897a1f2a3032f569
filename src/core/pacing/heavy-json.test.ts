import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, onlyLastKeys, readJson } from './heavy-json.js';

const MIB = 1024 * 1024;

describe('a short text', () => {
  it.each(['', 'plain', '~\u007f', 'é', 'ÿ', 'ж', '漢 and plain', '🙈'])('%j is decoded as UTF-8', (text) => {
    expect(decodeText(Buffer.from(text))).toBe(text);
  });
});

describe('a large text', () => {
  it.each(['x', 'ж', '漢', '🙈'])(
    'of %s is decoded and encoded as Buffer does it, wherever the pieces end',
    async (character) => {
      for (const ahead of ['', 'a', 'aa', 'aaa']) {
        const text = ahead + character.repeat(MIB);
        expect((await decodeText(Buffer.from(text))) === text).toBe(true);
        expect(Buffer.from(text).equals(await encodeText(text))).toBe(true);
      }
    },
  );

  it('keeps the last of repeated keys, like a small one', async () => {
    for (const size of [1, MIB]) {
      const text = `{"a":1,"b":"${'x'.repeat(size)}","a":2}`;
      const { value, repeatsKeys } = await readJson(text);
      const { text: left } = await onlyLastKeys({ text, value: value as { a: 2 }, repeatsKeys });
      expect(left).toBe(`{"a":2,"b":"${'x'.repeat(size)}"}`);
    }
  });
});
