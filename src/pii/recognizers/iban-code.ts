/**
 * International bank account numbers: the format of each country (SWIFT IBAN Registry, release 99) and the
 * check of ISO 7064 MOD 97-10. Printed in fours with blanks or hyphens, or in one piece.
 */

import { mod97 } from '../checksums.js';
import { ContextWords } from '../context-words.js';
import { isDigitUnit } from '../patterns/units.js';
import { type Candidate, candidate, type Recognizer } from '../recognizer.js';

/** Country → what follows the two check digits: n digits, a capitals, c either, with the count before. */
const FORMATS: Record<string, string> = Object.fromEntries(
  (
    'AD 8n12c,AE 19n,AL 8n16c,AT 16n,AZ 4a20c,BA 16n,BE 12n,BG 4a6n8c,BH 4a14c,BI 23n,BR 23n1a1c,BY 4c4n16c,CH 5n12c,' +
    'CR 18n,CY 8n16c,CZ 20n,DE 18n,DJ 23n,DK 14n,DO 4c20n,EE 16n,EG 25n,ES 20n,FI 14n,FK 2a12n,FO 14n,FR 10n11c2n,' +
    'GB 4a14n,GE 2a16n,GI 4a15c,GL 14n,GR 7n16c,GT 4c20c,HN 4a20n,HR 17n,HU 24n,IE 4a14n,IL 19n,IQ 4a15n,IS 22n,' +
    'IT 1a10n12c,JO 4a4n18c,KW 4a22c,KZ 3n13c,LB 4n20c,LC 4a24c,LI 5n12c,LT 16n,LU 3n13c,LV 4a13c,LY 21n,MC 10n11c2n,' +
    'MD 2c18c,ME 18n,MK 3n10c2n,MN 16n,MR 23n,MT 4a5n18c,MU 4a19n3a,NI 4a20n,NL 4a10n,NO 11n,OM 3n16c,PK 4a16c,PL 24n,' +
    'PS 4a21c,PT 21n,QA 4a21c,RO 4a16c,RS 18n,RU 14n15c,SA 2n18c,SC 4a20n3a,SD 14n,SE 20n,SI 15n,SK 20n,SM 1a10n12c,' +
    'SO 19n,ST 21n,SV 4a20n,TL 19n,TN 20n,TR 5n1n16c,UA 6n19c,VA 18n,VG 4a16n,XK 16n,YE 4a4n18c'
  )
    .split(',')
    .map((row) => row.split(' ') as [string, string]),
);

const CLASS: Record<string, string> = { n: '\\d', a: '[A-Z]', c: '[A-Z0-9]' };
const compiled = new Map<string, RegExp>();

function formatOf(country: string): RegExp | undefined {
  const format = FORMATS[country];
  if (format === undefined) return undefined;
  let found = compiled.get(country);
  if (found === undefined) {
    const body = format.replace(
      /(\d+)([nac])/g,
      (_, count: string, kind: string) => `${CLASS[kind]}{${count}}`,
    );
    found = new RegExp(`^[A-Z]{2}\\d{2}${body}`);
    compiled.set(country, found);
  }
  return found;
}

const LENGTHS = new Map(
  Object.entries(FORMATS).map(([country, format]) => [
    country,
    4 + [...format.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0),
  ]),
);

/** With three marks between all letters of the longest number. */
const LONGEST = 136;
const MARK = /[^\p{L}\p{N}]/u;
const MOST_MARKS = 3;
/** Letters before a country that stand in one piece with it: `ibanDE89`. */
const MOST_GLUED = 12;
const CONTEXT = new ContextWords([
  'iban',
  'bank',
  'transaction',
  'account',
  'konto',
  'cuenta',
  'compte',
  'conto',
]);

/** Whether a country and two digits stand at `start`. */
function mayBegin(text: string, start: number): boolean {
  const mark = text[start + 2];
  const digits = mark === ' ' || mark === '-' ? start + 3 : start + 2;
  if (!isDigitUnit(text.charCodeAt(digits)) || !isDigitUnit(text.charCodeAt(digits + 1))) return false;
  return LENGTHS.has(text.slice(start, start + 2).toUpperCase());
}

/** Length in units of the IBAN at the start of `text`, 0 when there is none. Any marks may part its groups: the check tells. */
function measure(text: string): number {
  const country = text.slice(0, 2).toUpperCase();
  const length = LENGTHS.get(country);
  if (length === undefined) return 0;
  let plain = '';
  let at = 0;
  for (let marks = 0; at < text.length && plain.length < length; at++) {
    const char = text[at]!;
    marks = MARK.test(char) ? marks + 1 : 0;
    if (marks > MOST_MARKS) return 0;
    if (marks === 0) plain += char;
  }
  if (plain.length < length || /[A-Za-z0-9]/.test(text[at] ?? '')) return 0;
  const isLower = plain === plain.toLowerCase();
  const code = isLower ? plain.toUpperCase() : plain;
  return formatOf(country)!.test(code) && mod97(code.slice(4) + code.slice(0, 4)) ? at : 0;
}

export const ibanCode: Recognizer = {
  name: 'iban-code',
  entityType: 'IBAN_CODE',
  fewestDigits: 2,
  find(block, report) {
    for (const run of block.runs) {
      const start = run.start + Math.max(0, run.letters - 2);
      if (run.letters < 2 || run.letters > MOST_GLUED || !mayBegin(block.text, start)) continue;
      const length = measure(block.text.slice(start, start + LONGEST));
      if (length > 0) report(found(start, length));
    }
  },
};

function found(start: number, length: number): Candidate {
  return candidate({
    entityType: 'IBAN_CODE',
    start,
    end: start + length,
    score: 1,
    baseScore: 0.5,
    recognizer: 'iban-code',
    pattern: 'country format',
    validation: 'passed',
    context: CONTEXT,
  });
}
