import type { Email } from 'postal-mime';
import { textInBytes } from '../../../dialects/members/files/text-in-bytes.js';
import { type FileFormat, formatOf } from './file-format.js';
import { OFFICE_PART, officeText } from './office-text.js';
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
  ole: () => refuse('is an office file in the older, binary form, or is encrypted'),
  packed: () => refuse('is a compressed file and not a document'),
  html: (bytes) => htmlText(Buffer.from(bytes).toString('utf8')),
  mail: mailText,
};

async function pdfText(bytes: Uint8Array): Promise<string> {
  const { extractText: textOf, getDocumentProxy } = await import('unpdf');
  // The library takes over the buffer, so it gets a copy.
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await textOf(document, { mergePages: true });
  const texts = [text];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    for (const annotation of await page.getAnnotations()) texts.push(annotationText(annotation));
  }
  return texts.join('\n');
}

/** What is filled into a form, noted on a page, or linked to. A page shows it, and its own text does not contain it. */
function annotationText({ fieldValue, contentsObj, titleObj, url, textContent }: PdfAnnotation): string {
  const lines = [fieldValue, contentsObj?.str, titleObj?.str, url, textContent].flat();
  return lines.filter((line) => typeof line === 'string' && line !== '').join('\n');
}

/** What `pdf.js` tells of an annotation. It declares no types for it. */
interface PdfAnnotation {
  fieldValue?: unknown;
  contentsObj?: { str: string };
  titleObj?: { str: string };
  url?: string;
  textContent?: string[];
}

/** Documents that are archives: Word, Excel, PowerPoint and OpenDocument files, and books in EPUB. */
async function archiveText(bytes: Uint8Array): Promise<string> {
  const { unzipSync } = await import('fflate');
  const names = new Set<string>();
  let unpacked = 0;
  let isDocument = false;
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      // Another program may read the other part.
      if (names.has(name)) throw new UnreadableFile('has two parts of the same name');
      names.add(name);
      if (name === '[Content_Types].xml' || name === 'mimetype') isDocument = true;
      if (BINARY_SHEET.test(name))
        throw new UnreadableFile('is a workbook in a binary form that is not read');
      if (!OFFICE_PART.test(name) && !PAGE.test(name) && !PLAIN_TEXT.test(name)) return false;
      unpacked += originalSize;
      if (unpacked > MOST_UNPACKED) throw new UnreadableFile(`unpacks to more than ${MOST_UNPACKED} bytes`);
      return true;
    },
  });
  if (!isDocument) throw new UnreadableFile('is an archive and not a document');
  const texts: string[] = [];
  for (const name of Object.keys(files).sort()) {
    const part = Buffer.from(files[name]!);
    if (OFFICE_PART.test(name)) texts.push(officeText(name, part));
    else texts.push(PAGE.test(name) ? await htmlText(part.toString('utf8')) : part.toString('utf8'));
  }
  return texts.join('\n\n');
}

const PAGE = /\.x?html?$/i;
const PLAIN_TEXT = /\.(?:txt|csv|md)$/i;
const BINARY_SHEET = /^xl\/worksheets\/[^/]+\.bin$/i;

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
    texts.push(await attachedText(attached, mimeType, level));
  }
  return texts.join('\n\n');
}

/** Empty for a picture or another file without text. What an attachment is said to be does not count. */
async function attachedText(bytes: Uint8Array, mimeType: string, level: number): Promise<string> {
  if (formatOf(bytes) !== undefined) return extractText(bytes, level + 1);
  return textInBytes(Buffer.from(bytes).toString('base64'), { media_type: mimeType })?.text ?? '';
}

async function refuse(reason: string): Promise<never> {
  throw new UnreadableFile(reason);
}
