import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import type { Message, Part } from '../../../core/message.js';
import { extractText } from './extract-text.js';
import { FileReader, fileReader } from './file-reader.js';
import { readFiles } from './read-files.js';

const CARD = '4111 1111 1111 1111';

afterAll(() => fileReader.close());

/** `annotations`: further objects, which the page refers to. */
function pdf(text: string, annotations: readonly string[] = []): Buffer {
  const stream = `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`;
  const references = annotations.map((_, index) => `${index + 6} 0 R`).join(' ');
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${references}] >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [${references}] >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...annotations,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = file.length;
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF`;
  return Buffer.from(file);
}

function office(files: Record<string, string | Buffer>): Buffer {
  const all: Zippable = { '[Content_Types].xml': strToU8('<Types/>') };
  for (const [name, xml] of Object.entries(files)) {
    all[name] = typeof xml === 'string' ? strToU8(xml) : new Uint8Array(xml);
  }
  return Buffer.from(zipSync(all));
}

const paragraph = (inside: string) => `<w:document xmlns:w="w"><w:p><w:r>${inside}</w:r></w:p></w:document>`;

/** An archive in which the second of two parts has the name of the first. */
function withTwoParts(): Buffer {
  const zip = office({ 'word/document.xml': paragraph('<w:t>a</w:t>'), 'word/documenX.xml': paragraph('') });
  return Buffer.from(zip.toString('latin1').replaceAll('documenX', 'document'), 'latin1');
}

const [first, rest] = [CARD.slice(0, 9), CARD.slice(9)];
const MAIL = [
  'From: Ann <ann@example.org>',
  'Subject: =?utf-8?B?Q2FyZA==?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from(`the card ${CARD}`).toString('base64'),
  '--x',
  'Content-Type: application/pdf; name=a.pdf',
  'Content-Transfer-Encoding: base64',
  '',
  pdf('attached 5555 5555 5555 4444').toString('base64'),
  '--x',
  'Content-Type: application/octet-stream; name=a.txt',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('and 3782 822463 10005').toString('base64'),
  '--x--',
  '',
].join('\r\n');

const FILES: readonly [name: string, bytes: Buffer, texts: string[]][] = [
  ['PDF', pdf(`card ${CARD}`), [CARD]],
  [
    'Word, whose runs part a number',
    office({
      'word/document.xml': `<w:document xmlns:w="w"><w:p><w:r><w:t>card ${first}</w:t></w:r><w:r><w:t>${rest}</w:t></w:r></w:p><w:p><w:r><w:t>next</w:t></w:r></w:p></w:document>`,
      'word/header1.xml': '<w:hdr xmlns:w="w"><w:p><w:r><w:t>5555 5555 5555 4444</w:t></w:r></w:p></w:hdr>',
    }),
    [CARD, '5555 5555 5555 4444'],
  ],
  [
    'Excel, with numbers in cells and texts in a list',
    office({
      'xl/sharedStrings.xml': `<sst><si><t>${CARD}</t></si></sst>`,
      'xl/worksheets/sheet1.xml':
        '<worksheet><row><c t="s"><v>0</v></c><c><v>5555555555554444</v></c></row></worksheet>',
    }),
    [CARD, '5555555555554444'],
  ],
  [
    'PowerPoint',
    office({
      'ppt/slides/slide1.xml': `<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>${CARD}</a:t></a:r></a:p></p:sld>`,
    }),
    [CARD],
  ],
  [
    'OpenDocument',
    office({ mimetype: 'x', 'content.xml': `<o:d xmlns:o="o" xmlns:t="t"><t:p>${CARD}</t:p></o:d>` }),
    [CARD],
  ],
  [
    'HTML, whose tags part a number',
    Buffer.from(
      `<!DOCTYPE html><html><body><p>${first}<b>${rest}</b><script>x</script>&#53;555</p></body></html>`,
    ),
    [CARD, '5555'],
  ],
  [
    'a mail, with what is attached',
    Buffer.from(MAIL),
    [CARD, '5555 5555 5555 4444', '3782 822463 10005', 'ann@example.org'],
  ],
  [
    'a form in PDF that was filled in, with a note and a link',
    pdf('form', [
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (card) /V (${CARD}) /Rect [10 10 90 30] >>`,
      '<< /Type /Annot /Subtype /Text /Contents (call 5555 5555 5555 4444) /Rect [10 40 30 60] >>',
      '<< /Type /Annot /Subtype /Link /Rect [10 70 30 90] /A << /S /URI /URI (mailto:ann@example.org) >> >>',
    ]),
    [CARD, '5555 5555 5555 4444', 'ann@example.org'],
  ],
  ['Word, in CDATA', office({ 'word/document.xml': paragraph(`<w:t><![CDATA[${CARD}]]></w:t>`) }), [CARD]],
  [
    'Word, whose text is in a part of another name',
    office({ 'word/document2.xml': paragraph(`<w:t>${CARD}</w:t>`) }),
    [CARD],
  ],
  [
    'Word, in UTF-16',
    office({ 'word/document.xml': Buffer.from(`\ufeff${paragraph(`<w:t>${CARD}</w:t>`)}`, 'utf16le') }),
    [CARD],
  ],
  [
    'diagrams, descriptions of pictures, links, and imported pages',
    office({
      'word/document.xml': paragraph(`<w:docPr descr="${CARD}"/>`),
      'word/diagrams/data1.xml':
        '<d:m xmlns:d="d" xmlns:a="a"><a:p><a:r><a:t>Ann Lee</a:t></a:r></a:p></d:m>',
      'word/_rels/document.xml.rels':
        '<Relationships><Relationship Target="mailto:ann@example.org" TargetMode="External"/></Relationships>',
      'word/afchunk.html': '<p>5555 5555 <b>5555</b> 4444</p>',
    }),
    [CARD, 'Ann Lee', 'ann@example.org', '5555 5555 5555 4444'],
  ],
  [
    'a book',
    office({ mimetype: 'application/epub+zip', 'OEBPS/one.xhtml': `<html><p>${CARD}</p></html>` }),
    [CARD],
  ],
];

const user = (...parts: Part[]): Message => ({ role: 'user', parts });
const document = (bytes: Buffer, mediaType = 'application/octet-stream'): Part => ({
  type: 'document',
  source: { kind: 'base64', mediaType, data: bytes.toString('base64') },
});

describe('the text of a file', () => {
  it.each(FILES)('is read from %s', async (_, bytes, texts) => {
    const text = (await extractText(bytes)).replaceAll(/[ ]+/g, ' ');
    for (const one of texts) expect(text).toContain(one);
  });

  it.each(FILES)('of a request is read in a thread: %s', async (_, bytes, texts) => {
    const [read] = (await readFiles([user({ type: 'text', text: 'see' }, document(bytes, 'image/png'))]))!;
    expect(read!.place).toBe('/0/parts/1/file');
    for (const one of texts) expect(read!.text.replaceAll(/[ ]+/g, ' ')).toContain(one);
  });

  it('is read also in results of tools, in data URLs and in parts of unknown types', async () => {
    const url = `data:application/pdf;base64,${pdf(CARD).toString('base64')}`;
    const read = await readFiles([
      user({ type: 'tool-result', callId: 'c', parts: [document(pdf(CARD))] }),
      user({ type: 'document', source: { kind: 'url', url } }, { type: 'other', value: { a: [{ b: url }] } }),
    ]);
    expect(read!.map(({ place }) => place).sort()).toEqual([
      '/0/parts/0/parts/0/file',
      '/1/parts/0/file',
      '/1/parts/1/file',
    ]);
    for (const { text } of read!) expect(text).toContain(CARD);
  });

  it('starts no thread where there is no file', async () => {
    expect(readFiles([user({ type: 'text', text: 'hello' })])).toBeUndefined();
    expect(await readFiles([user(document(Buffer.from('just text, '.repeat(20))))])).toEqual([]);
  });

  it.each([
    ['broken', Buffer.from(`%PDF-1.4 ${'x'.repeat(100)}`), /cannot be read/],
    ['an archive of other files', Buffer.from(zipSync({ a: strToU8('a'.repeat(100)) })), /not a document/],
    ['unpacked to too much', office({ 'word/document.xml': ' '.repeat(70_000_000) }), /unpacks to more than/],
    ['of two parts with one name', withTwoParts(), /two parts of the same name/],
    ['a workbook in its binary form', office({ 'xl/worksheets/sheet1.bin': 'x'.repeat(99) }), /binary form/],
    [
      'of an older or encrypted form',
      Buffer.from(`d0cf11e0a1b11ae1${'00'.repeat(99)}`, 'hex'),
      /older, binary form/,
    ],
    ['compressed', gzipSync(randomBytes(200)), /compressed file/],
    ['not XML inside', office({ 'word/document.xml': `<a>${'<'.repeat(9)}` }), /XML that cannot be read/],
  ])('is reported as unreadable where the file is %s', async (_, bytes, reason) => {
    await expect(readFiles([user(document(bytes))])).rejects.toThrow(reason);
  });

  it('keeps the values of charts, properties and cells apart, so that they make no number together', async () => {
    const bytes = office({
      'docProps/app.xml': '<Properties><Pages>4111</Pages><Words>1111</Words></Properties>',
      'word/charts/chart1.xml':
        '<c:s xmlns:c="c"><c:pt><c:v>4111</c:v></c:pt><c:pt><c:v>1111</c:v></c:pt></c:s>',
      'xl/worksheets/sheet1.xml':
        '<worksheet><row><c><f>A4111</f><v>1111</v></c><c t="s"><v>77</v></c></row></worksheet>',
    });
    const text = await extractText(bytes);
    expect(text).not.toMatch(/4111 ?1111|77/);
    expect(text.match(/4111/g)).toHaveLength(3);
  });

  it('is limited in bytes and in time', async () => {
    const small = new FileReader(100, 1);
    await expect(small.textOf(Buffer.alloc(101))).rejects.toThrow(/too large/);
    await expect(small.textOf(pdf('x').subarray(0, 100))).rejects.toThrow(/took longer/);
  });
});
