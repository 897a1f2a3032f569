/**
 * All recognizers. To add one, add a row in `identifiers/`, or a file in `recognizers/` and a line here. Nothing
 * registers itself.
 */
import type { CodeRecognizer } from './codes.js';
import { CODE_ROWS, FORM_ROWS } from './identifiers/rows.js';
import type { Recognizer } from './recognizer.js';
import { dateTime } from './recognizers/date-time.js';
import { emailAddress } from './recognizers/email-address.js';
import { ibanCode } from './recognizers/iban-code.js';
import { codeRecognizer } from './recognizers/identifiers/code.js';
import { formRecognizer } from './recognizers/identifiers/form.js';
import { ipAddress } from './recognizers/ip-address.js';
import { looseCode, looseNine, loosePhone } from './recognizers/loose-numbers.js';
import { phoneNumber } from './recognizers/phone-number.js';
import { url } from './recognizers/url.js';
import type { EntityType } from './types.js';

const CODE_OF_ROW: ReadonlyMap<string, CodeRecognizer> = new Map(
  CODE_ROWS.map((row) => [row.type, codeRecognizer(row)]),
);

/** The recognizers of codes, which share one table of patterns. */
export const codes: readonly CodeRecognizer[] = [...CODE_OF_ROW.values()];

export const recognizers: readonly Recognizer[] = [
  emailAddress,
  url,
  ipAddress,
  phoneNumber,
  dateTime,
  ibanCode,
  loosePhone,
  looseNine(CODE_OF_ROW.get('US_SSN')!, /^(?!000|666|\d{3}00|\d{5}0000)/),
  looseNine(CODE_OF_ROW.get('US_ITIN')!, /^9\d{2}(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])/),
  ...CODE_ROWS.flatMap(({ type, loose }) => (loose ? [looseCode(CODE_OF_ROW.get(type)!, loose)] : [])),
  ...FORM_ROWS.map(formRecognizer),
];

/** Types that the name model finds. */
export const NAME_TYPES: readonly EntityType[] = ['PERSON', 'LOCATION', 'NRP'];
