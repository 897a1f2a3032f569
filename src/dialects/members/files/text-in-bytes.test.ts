import { describe, expect, it } from 'vitest';
import type { DialectId } from '../../../core/dialect-ids.js';
import type { JsonObject } from '../../../core/json.js';
import { atOnce } from '../../../core/pacing/steps.js';
import { textsOf } from '../../../core/texts/part-texts.js';
import { dialectById } from '../../index.js';
import { textInBytes } from './text-in-bytes.js';

const SECRET = 'Notes on Ada Lovelace,\nborn in London. Ça ira.';
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
  ])('is guarded in %s %s, and can be masked', (id, _, bodyOf) => {
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

  it('is read in UTF-16 with the high byte first too', () => {
    const swapped = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('base64');
    const file = textInBytes(swapped(SECRET), { media_type: 'text/plain' });
    expect(file?.text).toBe(`\ufeff${SECRET}`);
    expect(file?.encode(`\ufeff<X>`)).toBe(swapped('<X>'));
  });

  it.each([
    ['a picture', encoded('\u0089PNG\r\n\u001a\n and more of it', 'latin1'), {}],
    ['a PDF', encoded('%PDF-1.4 and so on'), { media_type: 'application/pdf' }],
    ['what is said to be a picture', encoded(SECRET), { media_type: 'image/png' }],
    ['an address', 'https://example.org/a', { mimeType: 'text/plain' }],
    ['zeros', 'A'.repeat(64), {}],
  ])('is not %s', (_, value, holder) => {
    expect(textInBytes(value, holder)).toBeUndefined();
  });

  it('is known by its beginning, however long it is', () => {
    const long = 'Zoë said so. '.repeat(10_000);
    expect(textInBytes(encoded(long), {})?.text).toBe(long);
  });

  it.each(['{"toString":"x"}', '{"__proto__":null}', '["image/png"]', '7'])(
    'is known by what it holds where its type is no text: %s',
    (type) => {
      const holder = JSON.parse(`{"media_type":${type}}`) as JsonObject;
      expect(textInBytes(encoded(SECRET), holder)?.text).toBe(SECRET);
    },
  );
});
