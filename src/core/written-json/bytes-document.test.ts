import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.js';
import { BytesDocument } from './bytes-document.js';
import { scanDocument } from './scan-document.js';

/** Texts with characters of one to four bytes, and names that repeat. */
const name = fc.oneof(
  fc.constantFrom('metadata', 'meta', 'é', 'a rather long name', '漢字'),
  fc.string({ unit: 'grapheme' }),
);
const value = fc.dictionary(name, fc.jsonValue({ stringUnit: 'grapheme' }), {
  maxKeys: 8,
}) as fc.Arbitrary<JsonObject>;

function documentOf(text: string): BytesDocument {
  const { outline } = scanDocument(text, Number.POSITIVE_INFINITY);
  return new BytesDocument(Buffer.from(text), text, JSON.parse(text) as JsonObject, outline);
}

const written = (document: BytesDocument, key: string) =>
  document.writtenWithout(key) && Buffer.concat(document.writtenWithout(key)!).toString();

describe('a JSON document of bytes', () => {
  it('gives the bytes that JSON.stringify would write without a member, before and after its text was dropped', () =>
    fc.assert(
      fc.property(value, name, (sent, key) => {
        const text = JSON.stringify(sent);
        const { [key]: _left, ...rest } = sent;
        const document = documentOf(text);
        const before = written(document, key);
        expect([JSON.stringify(rest), undefined]).toContain(before);
        document.dropText();
        expect(written(document, key)).toBe(before);
      }),
    ));

  it.each([
    ['at the front', '{"metadata":{"a":1},"model":"é漢","n":1}', '{"model":"é漢","n":1}'],
    ['in the middle', '{"model":"é漢","metadata":{"a":"é"},"n":1}', '{"model":"é漢","n":1}'],
    ['at the end', '{"model":"é漢😀","n":1,"metadata":{"a":1}}', '{"model":"é漢😀","n":1}'],
    ['alone', '{"metadata":{"a":1}}', '{}'],
    ['nowhere', '{"model":"é漢","n":1}', '{"model":"é漢","n":1}'],
  ])('leaves out a member that stands %s', (_where, text, rest) => {
    const document = documentOf(text);
    document.dropText();
    expect(written(document, 'metadata')).toBe(rest);
  });

  it.each([
    ['white space', '{"model": "m"}'],
    ['a repeated name', '{"model":"m","model":"n"}'],
    ['an escape that is not needed', '{"model":"\\u00e9"}'],
    ['a number in another spelling', '{"n":1.0}'],
    ['a name that is a whole number', '{"model":"m","1":2}'],
  ])('gives no bytes where the text has %s', (_what, text) => {
    expect(documentOf(text).writtenWithout('metadata')).toBeUndefined();
  });

  it('decodes its text again after it was dropped', () => {
    const text = '{"model":"é漢😀"}';
    const document = documentOf(text);
    document.dropText();
    expect(document.text).toBe(text);
  });
});
