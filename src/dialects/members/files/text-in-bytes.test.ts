import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DialectId } from '../../../core/dialect-ids.js';
import type { JsonObject } from '../../../core/json.js';
import { atOnce } from '../../../core/pacing/steps.js';
import { textsOf } from '../../../core/texts/part-texts.js';
import { dialectById } from '../../index.js';
import { bytesOf, readDataUrl } from './data-url.js';
import { textInBytes } from './text-in-bytes.js';

const SECRET = 'Notes on Ada Lovelace,\nborn in London. Ça ira.';
/** With four bytes for each character. */
function wide(text: string, order: 'LE' | 'BE'): string {
  const bytes = Buffer.alloc(4 * [...text].length);
  for (const [at, char] of [...text].entries()) bytes[`writeUInt32${order}`](char.codePointAt(0)!, 4 * at);
  return bytes.toString('base64');
}

const encoded = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64');
const user = (...content: JsonObject[]) => ({ messages: [{ role: 'user', content }] });

describe('a file of text in base64', () => {
  it.each<[DialectId, string, (data: string) => JsonObject]>([
    [
      'openai.chat',
      'as a data URL',
      (data) =>
        user({
          type: 'file',
          file: { filename: 'a.txt', file_data: `data:text/plain;charset=utf-8;base64,${data}` },
        }),
    ],
    [
      'openai.chat',
      'that does not say what it is',
      (data) => user({ type: 'file', file: { file_data: data } }),
    ],
    [
      'openai.responses',
      'as a data URL',
      (data) => ({
        input: [
          { role: 'user', content: [{ type: 'input_file', file_data: `data:text/csv;base64,${data}` }] },
        ],
      }),
    ],
    [
      'anthropic.messages',
      'with its media type',
      (data) => user({ type: 'document', source: { type: 'base64', media_type: 'text/plain', data } }),
    ],
    [
      'gemini.generate',
      'with its media type',
      (data) => ({
        contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'text/markdown', data } }] }],
      }),
    ],
  ])('is checked in %s %s, and can be masked', (id, _, bodyOf) => {
    const dialect = dialectById(id);
    const value = bodyOf(encoded(SECRET));
    const document = { text: JSON.stringify(value), value };
    const messages = atOnce(dialect.readMessages(document));
    expect(textsOf(messages.flatMap(({ parts }) => parts))).toContain(SECRET);
    const masked = SECRET.replace('Ada Lovelace', '<PERSON>');
    const changed = JSON.parse(
      JSON.stringify(messages, (key, text) => (key === 'text' && text === SECRET ? masked : text)),
    );
    expect(atOnce(dialect.writeMessages(document, changed)).value).toEqual(bodyOf(encoded(masked)));
  });

  it.each<BufferEncoding>(['latin1', 'utf16le'])('is read in %s too', (encoding) => {
    const text = encoding === 'utf16le' ? `\ufeff${SECRET}` : SECRET;
    const file = textInBytes(encoded(text, encoding), { media_type: 'text/plain' });
    expect(file?.text).toBe(text);
    expect(file?.encode(text.replace('Ada', '<X>'))).toBe(encoded(text.replace('Ada', '<X>'), encoding));
  });

  it('is read in UTF-16 with the high byte first, too', () => {
    const swapped = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('base64');
    const file = textInBytes(swapped(SECRET), { media_type: 'text/plain' });
    expect(file?.text).toBe(`\ufeff${SECRET}`);
    expect(file?.encode(`\ufeff<X>`)).toBe(swapped('<X>'));
  });

  it.each([
    ['is said to be a picture', encoded(SECRET), { media_type: 'image/png' }],
    ['has lines in its base64', encoded(SECRET).replaceAll(/(.{60})/g, '$1 \r\n\t'), {}],
    ['is a data URL with blanks', ` data: text/plain ; base64, ${encoded(SECRET)} `, {}],
    ['has parameters', `data:text/plain;name="a b.txt";charset=utf-8;base64,${encoded(SECRET)}`, {}],
    ['has the word base64 first', `DATA:text/plain;BASE64;charset=utf-8,${encoded(SECRET)}`, {}],
    ['has escapes in its base64', `data:text/plain;base64,${encodeURIComponent(encoded(SECRET))}`, {}],
    ['has escapes in its head', `data:text/plain%3Bbase64,${encoded(SECRET)}`, {}],
    ['is no base64', `data:text/plain;charset=utf-8,${encodeURIComponent(SECRET)}`, {}],
    ['is said to be a picture in its URL', `data:image/png;base64,${encoded(SECRET)}`, {}],
    ['is UTF-16 without a mark', encoded(SECRET, 'utf16le'), {}],
    ['is UTF-16 with the high byte first', Buffer.from(SECRET, 'utf16le').swap16().toString('base64'), {}],
    ['is UTF-32 without a mark', wide(SECRET, 'LE'), { mimeType: 'image/jpeg' }],
    ['is UTF-32 with the high byte first', wide(SECRET, 'BE'), {}],
    ['is Latin-1 of an unknown type', encoded(SECRET, 'latin1'), {}],
  ])('is read even where it %s, and can be masked', (_, value, holder) => {
    const file = textInBytes(value, holder);
    expect(file?.text).toBe(SECRET);
    expect(textInBytes(file!.encode(SECRET.replace('Ada Lovelace', '<X>')), holder)?.text).toBe(
      SECRET.replace('Ada Lovelace', '<X>'),
    );
  });

  it('is also checked undecoded where its base64 is written in groups, since those can be a number', () => {
    const value = encoded(SECRET).replaceAll(/(.{7})/g, '$1 \r\n\t');
    const file = textInBytes(value, {})!;
    expect(file.text).toBe(`${value}\n${SECRET}`);
    expect(textInBytes(file.encode(`${value}\n<X>`), {})?.text).toBe('<X>');
    expect(file.encode('<CREDIT_CARD>')).toBe('<CREDIT_CARD>');
  });

  it('is the same as the platform decodes from a data URL', async () => {
    const heads = fc.constantFrom(
      'data:',
      'data:text/plain',
      'DATA:text/html;charset=utf-8',
      'data:;charset=x',
      'data: a/b ',
    );
    const inBase64 = fc.constantFrom(';base64', '; base64', ';BASE64 ', '');
    const body = fc.string({ unit: fc.constantFrom(...'QUJDREVGabc019%4A2+/ \t\n'), maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(heads, inBase64, body, async (head, base64, written) => {
        const url = `${head}${base64},${written}`;
        const response = await fetch(url).catch(() => undefined);
        // What the standard refuses is read as far as it goes.
        if (response === undefined) return;
        const expected = Buffer.from(await response.arrayBuffer());
        expect(bytesOf(readDataUrl(url)!).toString('hex')).toBe(expected.toString('hex'));
      }),
    );
  });

  it.each([
    ['a picture', encoded('\u0089PNG\r\n\u001a\n and more of it', 'latin1'), {}],
    ['a PDF', encoded('%PDF-1.4 and so on'), { media_type: 'application/pdf' }],
    ['an address', 'https://example.org/a', { mimeType: 'text/plain' }],
    ['zeros', 'A'.repeat(64), {}],
  ])('is not recognized in %s', (_, value, holder) => {
    expect(textInBytes(value, holder)).toBeUndefined();
  });

  it('is recognized by its beginning, however long it is', () => {
    const long = 'Zoë said so. '.repeat(10_000);
    expect(textInBytes(encoded(long), {})?.text).toBe(long);
  });

  it.each(['{"toString":"x"}', '{"__proto__":null}', '["image/png"]', '7'])(
    'is recognized by its content where its type is not text: %s',
    (type) => {
      const holder = JSON.parse(`{"media_type":${type}}`) as JsonObject;
      expect(textInBytes(encoded(SECRET), holder)?.text).toBe(SECRET);
    },
  );
});
