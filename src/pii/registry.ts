/** All recognizers. To add one: a file in recognizers/ or recognizers/countries/, a line here. Nothing registers itself. */
import type { CodeRecognizer } from './codes.js';
import type { Recognizer } from './recognizer.js';
import { auAbn, auAcn, auMedicare, auTfn } from './recognizers/countries/au.js';
import { esNif } from './recognizers/countries/es-nif.js';
import { euVat } from './recognizers/countries/eu-vat.js';
import { inAadhaar, inPan, inVehicleRegistration } from './recognizers/countries/in.js';
import {
  itDriverLicense,
  itFiscalCode,
  itIdentityCard,
  itPassport,
  itVatCode,
} from './recognizers/countries/it.js';
import {
  brCpf,
  caSin,
  deTaxId,
  frNir,
  krRrn,
  nlBsn,
  plPesel,
  ptNif,
  zaId,
} from './recognizers/countries/national.js';
import { sgNricFin } from './recognizers/countries/sg-nric-fin.js';
import { ukNhs } from './recognizers/countries/uk-nhs.js';
import { usBankNumber } from './recognizers/countries/us-bank-number.js';
import { usDriverLicense } from './recognizers/countries/us-driver-license.js';
import { usItin } from './recognizers/countries/us-itin.js';
import { usPassport } from './recognizers/countries/us-passport.js';
import { usSsn } from './recognizers/countries/us-ssn.js';
import { creditCard } from './recognizers/credit-card.js';
import { crypto } from './recognizers/crypto.js';
import { dateTime } from './recognizers/date-time.js';
import { emailAddress } from './recognizers/email-address.js';
import { ENGLISH } from './recognizers/forms/english.js';
import { EUROPEAN } from './recognizers/forms/european.js';
import { formRecognizer } from './recognizers/forms/form.js';
import { OTHER_COUNTRIES } from './recognizers/forms/other-countries.js';
import { ibanCode } from './recognizers/iban-code.js';
import { ipAddress } from './recognizers/ip-address.js';
import { looseCode, loosePhone, looseSsn } from './recognizers/loose-numbers.js';
import { medicalLicense } from './recognizers/medical-license.js';
import { phoneNumber } from './recognizers/phone-number.js';
import { url } from './recognizers/url.js';
import type { EntityType } from './types.js';

/** Numbers with a check, also in forms that count behind a word alone: so many figures. */
const LOOSE: readonly Recognizer[] = [
  looseCode(creditCard, 12, 19),
  looseCode(ukNhs, 10),
  looseCode(auAbn, 11),
  looseCode(auAcn, 9),
  looseCode(auTfn, 9),
  looseCode(auMedicare, 10),
  looseCode(inAadhaar, 12),
  looseCode(itVatCode, 11),
  looseCode(deTaxId, 11),
  looseCode(frNir, 15),
  looseCode(nlBsn, 9),
  looseCode(plPesel, 11),
  looseCode(ptNif, 9),
  looseCode(caSin, 9),
  looseCode(brCpf, 11),
  looseCode(krRrn, 13),
  looseCode(zaId, 13),
];

export const recognizers: readonly Recognizer[] = [
  emailAddress,
  url,
  ipAddress,
  phoneNumber,
  dateTime,
  ibanCode,
  loosePhone,
  looseSsn,
  ...LOOSE,
  ...[...ENGLISH, ...EUROPEAN, ...OTHER_COUNTRIES].map(formRecognizer),
];

/** Recognizers of codes, which one table asks. */
export const codes: readonly CodeRecognizer[] = [
  creditCard,
  crypto,
  usSsn,
  usDriverLicense,
  usPassport,
  usBankNumber,
  usItin,
  ukNhs,
  sgNricFin,
  auAbn,
  auAcn,
  auTfn,
  auMedicare,
  inPan,
  inAadhaar,
  inVehicleRegistration,
  esNif,
  itFiscalCode,
  itDriverLicense,
  itVatCode,
  itPassport,
  itIdentityCard,
  medicalLicense,
  deTaxId,
  frNir,
  nlBsn,
  plPesel,
  ptNif,
  caSin,
  brCpf,
  krRrn,
  zaId,
  euVat,
];

/** Types that the name model finds. */
export const NAME_TYPES: readonly EntityType[] = ['PERSON', 'LOCATION', 'NRP'];
