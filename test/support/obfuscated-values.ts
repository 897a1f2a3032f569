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

/** The first digit of each script with its own digits, and of other forms of the ASCII digits. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
  0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
  0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x11066, 0x110f0, 0x11136, 0x111d0,
  0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11c50, 0x16a60, 0x1d7ce, 0x1d7d8, 0x1d7e2,
  0x1d7ec, 0x1d7f6, 0x1e140, 0x1e950, 0x1fbf0, 0x2080,
];
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const CIRCLED = '⓪①②③④⑤⑥⑦⑧⑨';
const NEGATIVE = '⓿❶❷❸❹❺❻❼❽❾';

const SCRIPTS: readonly Change[] = [
  ...ZEROS.map(block),
  digits((digit) => SUPERSCRIPTS[digit]!),
  digits((digit) => CIRCLED[digit]!),
  digits((digit) => NEGATIVE[digit]!),
  digits((digit) => `${digit}\ufe0f\u20e3`),
  digits((digit) => `${digit}\u0336`),
];

/** All characters of the basic plane that Unicode calls default-ignorable, and some of other planes. */
const INVISIBLE = Array.from({ length: 0xffff }, (_, unit) => unit)
  .filter((unit) => (unit < 0xd800 || unit > 0xdfff) && /\p{DI}/u.test(String.fromCharCode(unit)))
  .map((unit) => String.fromCharCode(unit))
  .concat('\u{e0001}', '\u{e0100}', '\u{1d173}', '\0', '\u0007');
const BLANKS = [
  ...'\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\u2028\u2800\v\f',
];
const DASHES = [...'-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u2043\u2e3a'];

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
    fc.constantFrom(...Object.values(DISGUISES).flat()),
    fc.option(fc.constantFrom(...MARKS)),
    fc.constantFrom(...AROUND),
  )
  .map(([{ type, value, word }, change, mark, around]) => {
    const marked = mark === null || type === 'PHONE_NUMBER' ? value : value.replaceAll(/[ -]/g, mark);
    const written = change(marked);
    return { type, value: written, text: around(`${word}: ${written}`) };
  });
