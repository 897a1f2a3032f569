/** Indian identifiers: PAN, Aadhaar, vehicle registration. */
import { digitsOf, verhoeff } from '../../checksums.js';
import { CodeRecognizer } from '../../codes.js';

/** Income Tax Department: five letters, of which the fourth tells the kind of holder, four digits, a letter. */
export const inPan = new CodeRecognizer({
  entityType: 'IN_PAN',
  fewestDigits: 4,
  patterns: [
    {
      name: 'kind of holder',
      regex: /[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?!\w)/y,
      score: 0.5,
      letters: 5,
      runs: { '10 mixed': '' },
    },
    {
      name: 'letters and digits',
      regex: /[A-Z]{5}\d{4}[A-Z](?!\w)/iy,
      score: 0.2,
      letters: 5,
      runs: { '10 mixed': '' },
    },
  ],
  context: ['pan', 'pan card', 'pan no', 'pan number', 'permanent account number', 'income tax'],
});

function aadhaarHolds(code: string): boolean {
  const digits = digitsOf(code);
  return verhoeff(digits) && digits !== [...digits].reverse().join('');
}

/** Unique Identification Authority of India: twelve digits, no leading 0 or 1, Verhoeff check. */
export const inAadhaar = new CodeRecognizer({
  entityType: 'IN_AADHAAR',
  fewestDigits: 12,
  patterns: [
    {
      name: 'fours',
      regex: /[2-9]\d{3}([ :._/-]?)\d{4}\1\d{4}(?!\w)(?![-.]\d)/y,
      score: 0.1,
      needsWord: true,
      runs: { 4: '', 12: '' },
    },
  ],
  validate: aadhaarHolds,
  isChance: true,
  context: ['aadhaar', 'aadhar', 'uidai', 'uid'],
});

const STATES =
  'AN|AP|AR|AS|BH|BR|CG|CH|DD|DL|DN|GA|GJ|HP|HR|JH|JK|KA|KL|LA|LD|MH|ML|MN|MP|MZ|NL|OD|OR|PB|PY|RJ|SK|TG|TN|TR|TS|UK|UP|UT|WB';

/** Central Motor Vehicles Rules, rule 50: state, district, series, number. Older plates: three letters, number. */
export const inVehicleRegistration = new CodeRecognizer({
  entityType: 'IN_VEHICLE_REGISTRATION',
  fewestDigits: 4,
  patterns: [
    {
      name: 'state, district, series, number',
      regex: new RegExp(`(?:${STATES})([ -]?)\\d{1,2}\\1[A-Z]{1,3}\\1(?!0000)\\d{4}(?!\\w)`, 'y'),
      score: 0.5,
      letters: 2,
      runs: { 2: ' -', '8-11 mixed': '' },
    },
    { name: 'series, number', regex: /[A-Z]{3}\d{4}(?!\w)/y, score: 0.2, letters: 3, runs: { 7: '' } },
  ],
  context: [
    'registration',
    'vehicle',
    'car',
    'plate',
    'number plate',
    'license plate',
    'rto',
    'bike',
    'scooter',
    'truck',
  ],
});
