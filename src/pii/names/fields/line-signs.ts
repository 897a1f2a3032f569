/** A quick test, unit by unit, that shows for most lines that no pattern for the head of a table can match them. */

const WORD = 1;
const SEPARATOR = 2;
const BLANK = 4;
/** The class of other characters that occur in the names of columns. */
const MARK = 8;
const kinds = new Uint8Array(0x80);
for (let unit = 0; unit < kinds.length; unit++) {
  const char = String.fromCharCode(unit);
  if (/[\w"]/.test(char)) kinds[unit] = WORD;
  else if (/[,;|]/.test(char)) kinds[unit] = SEPARATOR;
  else if (/[#()/`-]/.test(char)) kinds[unit] = MARK;
}
const TAB = 0x09;
kinds[TAB] = BLANK | SEPARATOR;
kinds[0x20] = BLANK;

/** From this unit on, all units but two are letters. */
const FIRST_LETTER = 0xc0;
const RETURN = 0x0d;
/** A longer line is not the head of a table. */
const LONGEST_HEAD = 1_600;
function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return kinds[unit] ?? (unit >= FIRST_LETTER ? WORD : 0);
}

/** Whether the line can be the head of a table: only words with separators between them. */
export function isHead(text: string, start: number, end: number): boolean {
  if (end - start > LONGEST_HEAD || end === text.length) return false;
  let found = 0;
  for (let at = end - 1 - Number(text.charCodeAt(end - 1) === RETURN); at >= start; at--) {
    const kind = kindAt(text, at);
    if (kind === 0) return false;
    found |= kind;
  }
  return (found & SEPARATOR) !== 0;
}
