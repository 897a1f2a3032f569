/** All recognizers. To add one: a file in recognizers/, a line here. Nothing registers itself. */
import type { Recognizer } from './recognizer.js';
import { auAbn, auAcn, auMedicare, auTfn } from './recognizers/au.js';
import { creditCard } from './recognizers/credit-card.js';
import { crypto } from './recognizers/crypto.js';
import { dateTime } from './recognizers/date-time.js';
import { emailAddress } from './recognizers/email-address.js';
import { esNif } from './recognizers/es-nif.js';
import { euVat } from './recognizers/eu-vat.js';
import { ibanCode } from './recognizers/iban-code.js';
import { inAadhaar, inPan, inVehicleRegistration } from './recognizers/in.js';
import { ipAddress } from './recognizers/ip-address.js';
import { itDriverLicense, itFiscalCode, itIdentityCard, itPassport, itVatCode } from './recognizers/it.js';
import { medicalLicense } from './recognizers/medical-license.js';
import { brCpf, caSin, deTaxId, frNir, krRrn, nlBsn, plPesel, ptNif, zaId } from './recognizers/national.js';
import { phoneNumber } from './recognizers/phone-number.js';
import { sgNricFin } from './recognizers/sg-nric-fin.js';
import { ukNhs } from './recognizers/uk-nhs.js';
import { url } from './recognizers/url.js';
import { usBankNumber } from './recognizers/us-bank-number.js';
import { usDriverLicense } from './recognizers/us-driver-license.js';
import { usItin } from './recognizers/us-itin.js';
import { usPassport } from './recognizers/us-passport.js';
import { usSsn } from './recognizers/us-ssn.js';
import type { EntityType } from './types.js';

export const recognizers: readonly Recognizer[] = [
  emailAddress,
  url,
  ipAddress,
  phoneNumber,
  dateTime,
  creditCard,
  crypto,
  ibanCode,
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
