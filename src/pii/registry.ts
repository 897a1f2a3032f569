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
import { looseCode, loosePhone, looseSsn } from './recognizers/loose-numbers.js';
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
  looseSsn(CODE_OF_ROW.get('US_SSN')!),
  ...CODE_ROWS.flatMap(({ type, loose }) => (loose ? [looseCode(CODE_OF_ROW.get(type)!, loose)] : [])),
  ...FORM_ROWS.map(formRecognizer),
];

/** Types that the name model finds. */
export const NAME_TYPES: readonly EntityType[] = ['PERSON', 'LOCATION', 'NRP'];
