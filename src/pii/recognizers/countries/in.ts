/** Indian identifiers: PAN, Aadhaar, vehicle registration. */
import { digitsOf, verhoeff } from '../../checksums.js';
import { codeRecognizer } from '../../recognizer.js';

/** Income Tax Department: five letters, of which the fourth tells the kind of holder, four digits, a letter. */
export const inPan = codeRecognizer({
  entityType: 'IN_PAN',
  first: 'letter',
  minRun: 10,
  fewestDigits: 4,
  patterns: [
    { name: 'kind of holder', regex: /[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?!\w)/y, score: 0.5 },
    { name: 'letters and digits', regex: /[A-Z]{5}\d{4}[A-Z](?!\w)/iy, score: 0.2 },
  ],
  context: ['pan', 'pan card', 'pan no', 'pan number', 'permanent account number', 'income tax'],
});

function aadhaarHolds(code: string): boolean {
  const digits = digitsOf(code);
  return verhoeff(digits) && digits !== [...digits].reverse().join('');
}

/** Unique Identification Authority of India: twelve digits, no leading 0 or 1, Verhoeff check. */
export const inAadhaar = codeRecognizer({
  entityType: 'IN_AADHAAR',
  first: 'digit',
  fewestDigits: 12,
  patterns: [{ name: 'fours', regex: /[2-9]\d{3}([ :-]?)\d{4}\1\d{4}(?!\w)(?![-./: ]\d)/y, score: 0.1 }],
  validate: aadhaarHolds,
  isChance: true,
  context: ['aadhaar', 'aadhar', 'uidai', 'uid'],
});

const STATES =
  'AN|AP|AR|AS|BH|BR|CG|CH|DD|DL|DN|GA|GJ|HP|HR|JH|JK|KA|KL|LA|LD|MH|ML|MN|MP|MZ|NL|OD|OR|PB|PY|RJ|SK|TG|TN|TR|TS|UK|UP|UT|WB';

/** Central Motor Vehicles Rules, rule 50: state, district, series, number. Older plates: three letters, number. */
export const inVehicleRegistration = codeRecognizer({
  entityType: 'IN_VEHICLE_REGISTRATION',
  first: 'letter',
  minRun: 2,
  fewestDigits: 4,
  mostLetters: 3,
  patterns: [
    {
      name: 'state, district, series, number',
      regex: new RegExp(`(?:${STATES})([ -]?)\\d{1,2}\\1[A-Z]{1,3}\\1(?!0000)\\d{4}(?!\\w)`, 'y'),
      score: 0.5,
    },
    { name: 'series, number', regex: /[A-Z]{3}\d{4}(?!\w)/y, score: 0.2 },
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
