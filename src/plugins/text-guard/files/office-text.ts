import { SaxesParser } from 'saxes';
import { UnreadableFile } from './unreadable-file.js';

/** The files inside an office document that contain text: Word, Excel, PowerPoint, OpenDocument. */
export const OFFICE_PARTS =
  /^(?:word\/(?:document|header\d*|footer\d*|footnotes|endnotes|comments)\.xml|xl\/(?:sharedStrings|comments\d*|worksheets\/sheet\d+)\.xml|ppt\/(?:slides\/slide|notesSlides\/notesSlide|comments\/comment)[\w-]*\.xml|docProps\/(?:core|custom)\.xml|(?:content|styles|meta)\.xml)$/;
/** XML elements at whose end a line, or a cell, ends. */
const LINES = new Set('p row si br cr h list-item table-row'.split(' '));
const CELLS = new Set('tab c tc s table-cell'.split(' '));
/** The sheets of a workbook. Their cells contain numbers; texts are in a separate list. */
const SHEET = /^xl\/worksheets\//;
const DEEPEST = 1_000;

/** The texts of all these files, in the order of their names. */
export function officeText(files: Readonly<Record<string, Uint8Array>>): string {
  return Object.keys(files)
    .sort()
    .map((name) => partText(Buffer.from(files[name]!).toString('utf8'), SHEET.test(name)))
    .join('\n\n');
}

function partText(xml: string, isSheet: boolean): string {
  const texts: string[] = [];
  const parser = new SaxesParser();
  let depth = 0;
  let isIndex = false;
  let isValue = false;
  parser.on('error', (error) => {
    throw new UnreadableFile(`has XML that cannot be read: ${error.message}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > DEEPEST) throw new UnreadableFile('has XML that is too deep');
    const local = localName(name);
    if (local === 'c') isIndex = attributes.t === 's';
    isValue = local === 'v' || local === 't' || local === 'f';
  });
  parser.on('text', (text) => {
    // A cell with a text contains only the text's index in the list.
    if (!isSheet || (isValue && !isIndex)) texts.push(text);
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    const local = localName(name);
    isValue = false;
    if (LINES.has(local)) texts.push('\n');
    else if (CELLS.has(local)) texts.push(isSheet ? ' | ' : ' ');
  });
  parser.write(xml).close();
  return texts.join('');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
