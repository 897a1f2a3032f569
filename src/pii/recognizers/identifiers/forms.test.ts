/** Each form: a number that is right, and what is none. Checked ones were compared with those of the python-stdnum package. */
import { describe, expect, it } from 'vitest';
import { createDetector, type EntityType, OPTIONAL_ENTITY_TYPES } from '../../index.js';

function found(text: string, entity: EntityType): string[] {
  return createDetector({ entities: [entity] })
    .detectSync(text)
    .map(({ start, end }) => text.slice(start, end));
}

/** Type, a right number, the same with a wrong check. */
const CHECKED: readonly [EntityType, string, string][] = [
  ['FI_PERSONAL_IDENTITY_CODE', '010424A174N', '010424A174A'],
  ['SE_PERSONNUMMER', '890318-3914', '890318-3915'],
  ['NO_FODSELSNUMMER', '24030309363', '24030309364'],
  ['CH_AHV', '7564205466342', '7564205466343'],
  ['TR_NATIONAL_ID', '91883452482', '91883452483'],
  ['CL_RUT', '11.624.011-4', '11.624.011-5'],
  ['AR_CUIT', '27-93142146-3', '27-93142146-4'],
  ['BR_CNPJ', '55.693.202/0001-58', '55.693.202/0001-59'],
  ['CN_RESIDENT_ID', '360426192008169094', '360426192008169095'],
  ['IN_GSTIN', '27AAPFU7102V1Z5', '27AAPFU7102V1Z6'],
  ['BE_NATIONAL_NUMBER', '85.07.30-033.28', '85.07.30-033.29'],
  ['CZ_BIRTH_NUMBER', '710319/2745', '710319/2746'],
  ['MX_CURP', 'BOXW310820HNERXN09', 'BOXW310820HNERXN00'],
  ['DE_SOCIAL_SECURITY', '15070649C103', '15070649C104'],
  ['HK_ID_CARD', 'A123456(3)', 'A123456(4)'],
  ['KR_BRN', '124-81-00998', '124-81-00999'],
];

/** Type, a word, a right number, the same with a wrong check: every tenth number has a right one, so the word decides. */
const BESIDE_WORDS: readonly [EntityType, string, string, string][] = [
  ['DE_PASSPORT', 'Reisepass', 'C01X00T478', 'C01X00T479'],
  ['DE_ID_CARD', 'Personalausweis', 'L01X00T471', 'L01X00T472'],
  ['IE_PPS', 'PPS', '0835924K', '0835924A'],
  ['SE_ORGANISATIONSNUMMER', 'organisationsnummer', '403517-5761', '403517-5762'],
  ['AT_SVNR', 'SVNR', '1779060318', '1779060319'],
  ['RO_CNP', 'CNP', '1590625409615', '1590625409616'],
  ['BG_EGN', 'ЕГН', '2305083173', '2305083174'],
  ['HR_OIB', 'OIB', '09302438017', '09302438018'],
  ['EE_LT_PERSONAL_CODE', 'isikukood', '53205198871', '53205198872'],
  ['GR_AMKA', 'AMKA', '25123497072', '25123497073'],
  ['JP_MY_NUMBER', 'マイナンバー', '017970352929', '017970352920'],
  ['TH_TNIN', 'Thai ID', '4847289611786', '4847289611787'],
  ['IL_ID', 'Israeli ID', '177331022', '177331023'],
  ['EC_CEDULA', 'cédula', '1456233087', '1456233088'],
  ['ABA_ROUTING_NUMBER', 'routing number', '111000025', '111000026'],
  ['US_NPI', 'NPI', '1234567893', '1234567894'],
  ['DE_HEALTH_INSURANCE', 'KVNR', 'A123456780', 'A123456781'],
  ['TW_NATIONAL_ID', 'national ID', 'A123456789', 'A123456780'],
  ['UY_CEDULA', 'cédula', '1.234.567-2', '1.234.567-3'],
  ['DE_LANR', 'LANR', '838382202', '838383202'],
  ['DE_FUEHRERSCHEIN', 'Führerschein', 'B072RRE2I55', 'B072RRE2I65'],
  ['KR_FRN', 'foreigner registration', '760121-7654174', '761321-7654174'],
  ['ZA_INCOME_TAX_NUMBER', 'income tax', '0001339050', '0001339051'],
];

/** Type, what stands before, and a number without a check that is told by its form and that word. */
const FORMS: readonly [EntityType, string, string][] = [
  ['UK_NINO', '', 'AB 12 34 56 C'],
  ['DE_BSNR', 'BSNR ', '381234567'],
  ['DE_FUEHRERSCHEIN', 'Führerschein ', 'HH98765432C'],
  ['US_HEALTH_INSURANCE_MEMBER_ID', 'member ID ', 'XEHAB-90451223312345'],
  ['DE_HANDELSREGISTER', '', 'HRB 12345 B'],
  ['DE_KFZ', 'Kennzeichen ', 'M-AB 1234'],
  ['DE_PLZ', 'PLZ ', '80331'],
  ['DE_TAX_NUMBER', 'Steuernummer ', '181/815/08155'],
  ['NG_VEHICLE_REGISTRATION', 'plate number ', 'LSR-123-AB'],
  ['TR_LICENSE_PLATE', 'plaka ', '34 ABC 123'],
  ['US_PROVIDER_TAX_ID', 'EIN ', '12-3456789'],
  ['ZA_COMPANY_REGISTRATION', '', '2015/123456/07'],
  ['ZA_DRIVER_LICENSE', 'driving licence ', '60460006T7ND'],
  ['ZA_LICENSE_PLATE', 'number plate ', 'DK 28 LF GP'],
  ['ZA_TRAFFIC_REGISTER_NUMBER', 'traffic register ', '4004005006007'],
  ['UK_DRIVING_LICENCE', '', 'MORGA657054SM9IJ'],
  ['UK_PASSPORT', 'passport ', '925665416'],
  ['UK_POSTCODE', 'postcode ', 'SW1A 2AA'],
  ['UK_VEHICLE_REGISTRATION', 'registration ', 'BD51 SMR'],
  ['US_MBI', '', '1EG4-TE5-MK73'],
  ['CA_POSTAL_CODE', 'postal code ', 'K1A 0B1'],
  ['MAC_ADDRESS', '', 'aa:bb:cc:0d:ee:f1'],
  ['MAC_ADDRESS', '', '00d0.56f2.b5a1'],
  ['UUID', '', 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6'],
  ['ES_PASSPORT', 'pasaporte ', 'AAA123456'],
  ['DK_CPR', 'CPR ', '070761-4285'],
  ['MX_RFC', 'RFC ', 'GODE561231GR8'],
  ['MX_RFC', 'RFC ', 'PEÑA800101AB1'],
  ['MY_NRIC', '', '770305-02-1234'],
  ['IN_PASSPORT', 'passport ', 'A2096457'],
  ['IN_VOTER', 'voter ID ', 'ABC1234567'],
  ['KR_DRIVER_LICENSE', '면허번호 ', '11-22-123456-78'],
  ['KR_PASSPORT', '여권번호 ', 'M12345678'],
  ['PH_TIN', 'TIN ', '123-456-789-000'],
  ['PH_UMID', 'CRN ', '0111-1234567-8'],
  ['PH_PASSPORT', 'passport ', 'P1234567A'],
  ['SG_UEN', 'UEN ', 'T08GB0001A'],
  ['NG_NIN', 'NIN ', '12345678901'],
  ['ZA_PASSPORT', 'passport ', 'A12345678'],
  ['ZA_VAT_NUMBER', 'VAT ', '4123456789'],
  ['ID_NIK', 'NIK ', '3171234507890123'],
];

describe('a number with a checksum', () => {
  it.each(CHECKED)('%s: %s is found, and not %s', (type, right, wrong) => {
    expect(found(`We have ${right} here.`, type)).toEqual([right]);
    expect(found(`We have ${wrong} here.`, type)).toEqual([]);
  });

  it.each(BESIDE_WORDS)('%s: is found after the word %s, and nowhere else', (type, word, right, wrong) => {
    expect(found(`${word} ${right} here.`, type)).toEqual([right]);
    expect(found(`We have ${right} here.`, type)).toEqual([]);
    expect(found(`${word} ${wrong} here.`, type)).toEqual([]);
  });
});

describe('a number without a checksum', () => {
  it.each(FORMS)('%s: %s%s', (type, before, number) => {
    expect(found(`The ${before}${number} is here.`, type)).toEqual([number]);
    if (before !== '') expect(found(`We have ${number} here.`, type)).toEqual([]);
    expect(found(`The ${before}x${number}y is here.`, type)).toEqual([]);
  });
});

it('a long text without them has none, and one at the border of two blocks is found', () => {
  const [type, number] = ['UK_NINO', 'AB 12 34 56 C'] as const;
  for (let before = 1005; before < 1030; before++)
    expect(found(`${'x '.repeat(before).slice(0, before)} ${number} end`, type)).toEqual([number]);
});

it('every type with a form has a test here', () => {
  const tested = new Set([...CHECKED, ...BESIDE_WORDS, ...FORMS].map(([type]) => type));
  const first = OPTIONAL_ENTITY_TYPES.indexOf('UK_NINO');
  const untested = OPTIONAL_ENTITY_TYPES.slice(first).filter((type) => !tested.has(type));
  expect(untested).toEqual([]);
});
