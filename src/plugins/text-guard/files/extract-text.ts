import type { Email } from 'postal-mime';
import { type FileFormat, formatOf } from './file-format.js';
import { OFFICE_PARTS, officeText } from './office-text.js';
import { UnreadableFile } from './unreadable-file.js';

/*
 * Extracts the text of a file. The library for a format is loaded when the first file of the format arrives, in a
 * thread.
 */

/** The most text of one file, in UTF-16 units. */
export const MOST_UNITS = 8_388_608;
/** The most bytes that one archive may unpack to. */
const MOST_UNPACKED = 67_108_864;
/** How deep mails in mails, and archives in mails, may be nested. Deeper ones are refused. */
const MOST_LEVELS = 3;

export async function extractText(bytes: Uint8Array, level = 0): Promise<string> {
  const format = formatOf(bytes);
  if (format === undefined) return Buffer.from(bytes).toString('utf8');
  if (level > MOST_LEVELS)
    throw new UnreadableFile(`contains files that are nested more than ${MOST_LEVELS} levels deep`);
  const text = await READERS[format](bytes, level);
  if (text.length > MOST_UNITS) throw new UnreadableFile(`has more than ${MOST_UNITS} characters of text`);
  return text;
}

const READERS: Record<FileFormat, (bytes: Uint8Array, level: number) => Promise<string>> = {
  pdf: pdfText,
  zip: archiveText,
  html: (bytes) => htmlText(Buffer.from(bytes).toString('utf8')),
  mail: mailText,
};

async function pdfText(bytes: Uint8Array): Promise<string> {
  const { extractText: textOf, getDocumentProxy } = await import('unpdf');
  // The library takes over the buffer, so it gets a copy.
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await textOf(document, { mergePages: true });
  return text;
}

/** Word, Excel, PowerPoint and OpenDocument files, which are archives of XML. */
async function archiveText(bytes: Uint8Array): Promise<string> {
  const { unzipSync } = await import('fflate');
  let unpacked = 0;
  let isOffice = false;
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (name === '[Content_Types].xml' || name === 'mimetype') isOffice = true;
      if (!OFFICE_PARTS.test(name)) return false;
      unpacked += originalSize;
      if (unpacked > MOST_UNPACKED) throw new UnreadableFile(`unpacks to more than ${MOST_UNPACKED} bytes`);
      return true;
    },
  });
  if (!isOffice) throw new UnreadableFile('is an archive and not a document');
  return officeText(files);
}

async function htmlText(html: string): Promise<string> {
  const { Parser } = await import('htmlparser2');
  const texts: string[] = [];
  let hidden = 0;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (UNREAD.has(name)) hidden++;
      if (BLOCKS.has(name)) texts.push('\n');
      for (const attribute of READ_ATTRIBUTES) {
        if (attributes[attribute] !== undefined) texts.push(` ${attributes[attribute]} `);
      }
    },
    ontext: (text) => {
      if (hidden === 0) texts.push(text);
    },
    oncomment: (text) => void texts.push(`\n${text}\n`),
    onclosetag: (name) => {
      if (UNREAD.has(name)) hidden--;
      if (BLOCKS.has(name)) texts.push('\n');
    },
  });
  parser.end(html);
  return texts.join('');
}

const UNREAD = new Set(['script', 'style']);
const BLOCKS = new Set(
  'address article aside blockquote br caption dd div dl dt fieldset figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead title tr ul'.split(
    ' ',
  ),
);
const READ_ATTRIBUTES = ['alt', 'title', 'href', 'content', 'value', 'placeholder', 'aria-label'];

async function mailText(bytes: Uint8Array, level: number): Promise<string> {
  const { default: PostalMime } = await import('postal-mime');
  const mail: Email = await PostalMime.parse(bytes);
  const texts = mail.headers.map(({ key, value }) => `${key}: ${value}`);
  texts.push(mail.text ?? '');
  if (mail.html !== undefined) texts.push(await htmlText(mail.html));
  for (const { filename, mimeType, content } of mail.attachments) {
    texts.push(filename ?? '');
    const attached = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
    if (formatOf(attached) !== undefined || mimeType.startsWith('text/'))
      texts.push(await extractText(attached, level + 1));
  }
  return texts.join('\n\n');
}
