import { describe, expect, it } from 'vitest';
import { createDetector, type EntityType } from './index.js';

function found(text: string, entity: EntityType): string[] {
  return createDetector({ entities: [entity] })
    .detectSync(text)
    .map(({ start, end }) => text.slice(start, end));
}

/** Type, a right value, the same with a wrong check digit; made by the published rule or taken from its description. */
const VECTORS: readonly [EntityType, string, string][] = [
  ['DE_TAX_ID', '86095742719', '86095742718'],
  ['DE_TAX_ID', '47036892816', '47036892817'],
  ['FR_NIR', '2 55 08 14 168 025 38', '2 55 08 14 168 025 39'],
  ['PL_PESEL', '44051401359', '44051401358'],
  ['CA_SIN', '130-692-544', '130-692-545'],
  ['BR_CPF', '529.982.247-25', '529.982.247-24'],
  ['KR_RRN', '800101-1234560', '800101-1234561'],
  // Since October 2020 numbers have no check; the birthday must be one.
  ['KR_RRN', '210101-3123456', '211301-3123456'],
  ['ZA_ID', '8001015009087', '8001015009088'],
  ['ZA_ID', '800101 5009 087', '800101 5009 088'],
  ['EU_VAT', 'DE136695976', 'DE136695975'],
  ['EU_VAT', 'DE 136 695 976', 'DE 136 695 975'],
  ['EU_VAT', 'DE.136.695.976', 'DE.136.695.975'],
  ['EU_VAT', 'DE-136-695-976', 'DE-136-695-975'],
  ['EU_VAT', 'ATU13585627', 'ATU13585626'],
  ['EU_VAT', 'BE0776091951', 'BE0776091952'],
  ['EU_VAT', 'FR83404833048', 'FR83404833049'],
  ['EU_VAT', 'DK13585628', 'DK13585627'],
  ['EU_VAT', 'PL8567346215', 'PL8567346216'],
  ['EU_VAT', 'IT00743110157', 'IT00743110158'],
  ['EU_VAT', 'SE123456789701', 'SE123456789101'],
  ['EU_VAT', 'BG175074752', 'BG175074753'],
  ['EU_VAT', 'BG7523169263', 'BG7523169264'],
  ['EU_VAT', 'CY10259033P', 'CY10259033Z'],
  ['EU_VAT', 'CZ25123891', 'CZ25123890'],
  ['EU_VAT', 'CZ640903926', 'CZ640903927'],
  ['EU_VAT', 'CZ7103192745', 'CZ7103192746'],
  ['EU_VAT', 'ESA28015865', 'ESA28015866'],
  ['EU_VAT', 'ES54362315K', 'ES54362315Z'],
  ['EU_VAT', 'ESX2482300W', 'ESX2482300A'],
  ['EU_VAT', 'ESJ99216582', 'ESJ99216583'],
  ['EU_VAT', 'IE6433435F', 'IE6433435E'],
  ['EU_VAT', 'IE6433435OA', 'IE6433435FA'],
  ['EU_VAT', 'IE8D79739I', 'IE8D79739J'],
  ['EU_VAT', 'LT119511515', 'LT119511516'],
  ['EU_VAT', 'LT100001919017', 'LT100001919018'],
  ['EU_VAT', 'LV40003521600', 'LV40003521601'],
  ['EU_VAT', 'LV16117519997', 'LV16117519998'],
  ['EU_VAT', 'MT11679112', 'MT11679113'],
  ['EU_VAT', 'NL004495445B01', 'NL004495446B01'],
  ['EU_VAT', 'NL 004495445 B01', 'NL 004495446 B01'],
  ['EU_VAT', 'RO18547290', 'RO18547291'],
];

/** Numbers whose one check digit holds for every eleventh number or more: only a word tells them from others. */
const BESIDE_WORDS: readonly [EntityType, string, string, string][] = [
  ['EU_VAT', 'USt-IdNr', 'de136695976', 'de136695975'],
  ['EU_VAT', 'VAT', 'de 136 695 976', 'de 136 695 975'],
  ['NL_BSN', 'BSN', '111222333', '111222334'],
  ['NL_BSN', 'burgerservicenummer', '1112.22.333', '1112.22.334'],
  ['PT_NIF', 'contribuinte', '123456789', '123456788'],
  ['CA_SIN', 'SIN', '130 692 544', '130 692 545'],
  ['CA_SIN', 'social insurance number', '046 454 286', '046 454 287'],
  ['UK_NHS', 'NHS', '9434765919', '9434765918'],
  ['AU_TFN', 'TFN', '123 456 782', '123 456 783'],
  ['AU_ACN', 'ACN', '004085616', '004085617'],
  ['AU_MEDICARE', 'Medicare', '2123456701', '2123456711'],
  ['IN_AADHAAR', 'Aadhaar', '2341 2341 2346', '2341 2341 2347'],
  ['IT_VAT_CODE', 'partita IVA', '00743110157', '00743110158'],
  ['MEDICAL_LICENSE', 'DEA', 'BB1388568', 'BB1388569'],
];

describe('an identifier of one country', () => {
  it.each(VECTORS)('%s %s is found, %s is not', (type, right, wrong) => {
    expect(found(`the number ${right} is known`, type)).toEqual([right]);
    expect(found(`the number ${wrong} is known`, type)).toEqual([]);
  });

  it.each(BESIDE_WORDS)('%s is found beside its word: %s %s, and not %s', (type, word, right, wrong) => {
    expect(found(`the ${word} ${right} is known`, type)).toEqual([right]);
    expect(found(`the ${word} ${wrong} is known`, type)).toEqual([]);
    expect(found(`the count ${right} is known`, type)).toEqual([]);
  });

  it('is found only where its type is asked for', () => {
    const types = createDetector()
      .detectSync('PESEL 44051401359, CPF 529.982.247-25')
      .map(({ entityType }) => entityType);
    expect(types).not.toContain('PL_PESEL');
    expect(types).not.toContain('BR_CPF');
  });
});
