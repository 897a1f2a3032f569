import { SaxesParser } from 'saxes';
import { encodingOf } from '../../../dialects/members/files/encodings.js';
import { UnreadableFile } from './unreadable-file.js';

/*
 * The text of the XML in an office document: Word, Excel, PowerPoint, OpenDocument. All parts are read: a document may give any
 * name to the part with its text, and diagrams, charts, notes and headers are parts of their own.
 */

export const OFFICE_PART = /\.(?:xml|rels)$/i;
/** Parts in which each element is a value of its own. In others, several elements may be runs of one text. */
const VALUES = /^(?:docProps|customXml)\//i;
const LINKS = /\.rels$/i;
/** XML elements at whose end a line, or a cell, ends. */
const LINES = new Set('p row si br cr h list-item table-row pt'.split(' '));
const CELLS = new Set('tab c tc s table-cell f oddHeader oddFooter formula1 formula2'.split(' '));
/** Attributes that readers show or read aloud: descriptions of pictures, links, authors of comments. */
const READ_ATTRIBUTES = new Set(['descr', 'title', 'alt', 'tooltip', 'display', 'href', 'author']);
const DECLARED_ENCODING = /<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/;
const LOOKED_AT = 256;
const DEEPEST = 1_000;

/** The text of one part. `name` is its path in the archive. */
export function officeText(name: string, bytes: Buffer): string {
  const xml = decoded(bytes);
  return LINKS.test(name) ? linksIn(xml) : partText(xml, VALUES.test(name));
}

function decoded(bytes: Buffer): string {
  const beginning = bytes.subarray(0, LOOKED_AT).toString('latin1');
  const [, charset = ''] = DECLARED_ENCODING.exec(beginning) ?? [];
  return encodingOf(bytes, charset.toLowerCase()).decode(bytes);
}

function createParser(): SaxesParser {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw new UnreadableFile(`has XML that cannot be read: ${error.message}`);
  });
  return parser;
}

function partText(xml: string, hasValues: boolean): string {
  const texts: string[] = [];
  const attributesRead = new Set<string>();
  const parser = createParser();
  let depth = 0;
  let isSheet = false;
  let isShared = false;
  let isIndex = false;
  const read = (text: string) => {
    if (!isIndex) texts.push(text);
  };
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > DEEPEST) throw new UnreadableFile('has XML that is too deep');
    const local = localName(name);
    if (depth === 1) isSheet = local === 'worksheet';
    if (local === 'c') isShared = attributes.t === 's';
    // A cell with a text contains only the text's index in a separate list.
    isIndex = isSheet && isShared && local === 'v';
    for (const [attribute, value] of Object.entries(attributes)) {
      if (READ_ATTRIBUTES.has(localName(attribute))) attributesRead.add(value);
    }
  });
  parser.on('text', read);
  parser.on('cdata', read);
  parser.on('closetag', ({ name }) => {
    depth--;
    isIndex = false;
    const local = localName(name);
    if (hasValues || LINES.has(local)) texts.push('\n');
    else if (CELLS.has(local)) texts.push(isSheet ? ' | ' : ' ');
  });
  parser.write(xml).close();
  return [texts.join(''), ...attributesRead].join('\n');
}

/** Where the links of a document lead to. Other targets are parts of the same archive. */
function linksIn(xml: string): string {
  const links: string[] = [];
  const parser = createParser();
  parser.on('opentag', ({ attributes }) => {
    if (attributes.TargetMode === 'External') links.push(attributes.Target ?? '');
  });
  parser.write(xml).close();
  return links.join('\n');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
