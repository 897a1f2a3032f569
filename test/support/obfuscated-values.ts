import fc from 'fast-check';

/** A personal value in a form that might get past a guard. */
export interface Disguised {
  type: string;
  value: string;
  text: string;
}

interface Value {
  type: string;
  value: string;
  /** The word that names the kind of value. */
  word: string;
}

const VALUES: readonly Value[] = [
  { type: 'CREDIT_CARD', value: '4111 1111 1111 1111', word: 'card' },
  { type: 'CREDIT_CARD', value: '5555-5555-5555-4444', word: 'credit card' },
  { type: 'CREDIT_CARD', value: '378282246310005', word: 'amex' },
  { type: 'US_SSN', value: '219-09-9998', word: 'SSN' },
  { type: 'IBAN_CODE', value: 'DE89 3704 0044 0532 0130 00', word: 'IBAN' },
  { type: 'PHONE_NUMBER', value: '+44 20 7946 0018', word: 'phone' },
  { type: 'UK_NHS', value: '943 476 5919', word: 'NHS' },
];

type Change = (value: string) => string;
const digits =
  (write: (digit: number) => string): Change =>
  (value) =>
    value.replaceAll(/\d/g, (digit) => write(Number(digit)));
const block = (zero: number) => digits((digit) => String.fromCodePoint(zero + digit));

const CHARACTERS = Array.from({ length: 0x110000 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));
const charactersOf = (kind: RegExp): string[] => CHARACTERS.filter((char) => kind.test(char));

/** The first digit of each script with its own digits, and of other forms of the ASCII digits. Unicode keeps ten in a row. */
const ZEROS = charactersOf(/\p{Nd}/u)
  .filter((_, index) => index % 10 === 0)
  .map((zero) => zero.codePointAt(0)!)
  .concat(0x2080);
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const CIRCLED = '⓪①②③④⑤⑥⑦⑧⑨';
const NEGATIVE = '⓿❶❷❸❹❺❻❼❽❾';
const BRACKETED = '⓪⑴⑵⑶⑷⑸⑹⑺⑻⑼';
const DOTTED = [...'\u{1f100}⒈⒉⒊⒋⒌⒍⒎⒏⒐'];
const WITH_COMMA = [
  ...'\u{1f101}\u{1f102}\u{1f103}\u{1f104}\u{1f105}\u{1f106}\u{1f107}\u{1f108}\u{1f109}\u{1f10a}',
];

const SCRIPTS: readonly Change[] = [
  ...ZEROS.map(block),
  digits((digit) => SUPERSCRIPTS[digit]!),
  digits((digit) => CIRCLED[digit]!),
  digits((digit) => NEGATIVE[digit]!),
  digits((digit) => BRACKETED[digit]!),
  digits((digit) => DOTTED[digit]!),
  digits((digit) => WITH_COMMA[digit]!),
  digits((digit) => `${digit}\ufe0f\u20e3`),
  digits((digit) => `${digit}\u0336`),
];

/** All characters that Unicode calls default-ignorable, and control characters but the end of a line and a tab. */
const INVISIBLE = charactersOf(/[\p{DI}\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/u);
const BLANKS = charactersOf(/[\p{Zs}\p{Zl}\p{Zp}\v\f\u0085\u2800]/u);
const DASHES = charactersOf(/[\p{Pd}\u2212\u2043\u207b\u208b]/u);

/** Changes that must not hide a value, wherever it stands. */
export const DISGUISES: Readonly<Record<string, readonly Change[]>> = {
  script: SCRIPTS,
  invisible: INVISIBLE.map((mark) => (value: string) => [...value].join(mark)),
  blanks: BLANKS.map((blank) => (value: string) => value.replaceAll(' ', blank)),
  dashes: DASHES.map((dash) => (value: string) => value.replaceAll('-', dash)),
  entities: [
    digits((digit) => `&#${48 + digit};`),
    digits((digit) => `&#x${(48 + digit).toString(16)};`),
    (value) => value.replaceAll(' ', '&nbsp;'),
    (value) => value.replaceAll('-', '&ndash;'),
  ],
  escapes: [
    digits((digit) => `\\u003${digit}`),
    (value) => value.replaceAll(' ', '\\u00a0'),
    digits((digit) => `%3${digit}`),
  ],
  width: [(value) => value.replaceAll(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))],
};

/**
 * Unusual separators between the groups of a value. A card is found without a word that names it; other kinds need their
 * word.
 */
const MARKS = ['.', '_', '/', '|', ':', ' - ', '--', '·', '•', '~', '  '];

const AROUND: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `我的${text}是`,
  (text) => `お客様の${text}です`,
  (text) => `제${text}입니다`,
  (text) => `ของฉัน${text}ครับ`,
  (text) => `12/27, ${text}; 14:30`,
  (text) => `{"a":"${text}"}`,
  (text) => `(${text})`,
  (text) => `# ${text}\nnext line`,
];

export const disguised: fc.Arbitrary<Disguised> = fc
  .tuple(
    fc.constantFrom(...VALUES),
    fc.constantFrom(...Object.values(DISGUISES)).chain((changes) => fc.constantFrom(...changes)),
    fc.option(fc.constantFrom(...MARKS)),
    fc.constantFrom(...AROUND),
  )
  .map(([{ type, value, word }, change, mark, around]) => {
    const marked = mark === null || type === 'PHONE_NUMBER' ? value : value.replaceAll(/[ -]/g, mark);
    const written = change(marked);
    return { type, value: written, text: around(`${word}: ${written}`) };
  });

const utf16 = (text: string, isBigEndian: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};
const utf32 = (text: string, isBigEndian: boolean): Buffer => {
  const points = [...text].map((char) => char.codePointAt(0)!);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [index, point] of points.entries()) {
    if (isBigEndian) bytes.writeUInt32BE(point, index * 4);
    else bytes.writeUInt32LE(point, index * 4);
  }
  return bytes;
};
const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64');
const inLines = (text: string): string => text.replaceAll(/.{60}/g, '$&\r\n');

/** A file of text as a `data:` URL, in each encoding and form that the standard allows, under each kind of type. */
export const DATA_URLS: Readonly<Record<string, (text: string) => string>> = {
  'UTF-8': (text) => `data:text/plain;base64,${base64(text)}`,
  'UTF-8 with a mark': (text) => `data:text/plain;base64,${base64(`\ufeff${text}`)}`,
  'UTF-16 without a mark': (text) => `data:text/plain;base64,${base64(utf16(text, false))}`,
  'UTF-16 with the high byte first': (text) => `data:text/plain;base64,${base64(utf16(text, true))}`,
  'UTF-32': (text) => `data:text/plain;base64,${base64(utf32(text, false))}`,
  'UTF-32 with the high byte first': (text) => `data:text/plain;base64,${base64(utf32(text, true))}`,
  'lines of base64': (text) => `data:text/plain;base64,${inLines(base64(text))}`,
  'blanks in its head': (text) => `data: text/plain ; charset=utf-8 ; base64 ,${base64(text)}`,
  parameters: (text) => `data:text/plain;name="a;b";charset=utf-8;base64,${base64(text)}`,
  'percent-encoding': (text) => `data:text/plain,${encodeURIComponent(text)}`,
  'percent-encoded base64': (text) => `data:text/plain;base64,${encodeURIComponent(base64(text))}`,
  'the type of a picture': (text) => `data:image/png;base64,${base64(text)}`,
  'the type of a document': (text) => `data:application/pdf;base64,${base64(text)}`,
  'no type': (text) => `data:;base64,${base64(text)}`,
};
