/** Europe without the islands. */
import { digitsOf, luhn, weightedSum } from '../../checksums.js';
import { mod1110 } from '../countries/national.js';
import { beginsWithDay, crossSum, endsInComplement, endsInRest, icaoHolds, luhnHolds } from './checks.js';
import { type Form, isDay, valueOfSign } from './form.js';

/** Deutsche Rentenversicherung: the letter counts as its number, weights with sums of figures. */
function rvnrHolds(found: string): boolean {
  const plain = found.replace(/\s/g, '').toUpperCase();
  const letter = String(valueOfSign(plain[8]!) - 9).padStart(2, '0');
  const digits = plain.slice(0, 8) + letter + plain.slice(9, 11);
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
  const sum = weights.reduce((total, weight, i) => total + crossSum(Number(digits[i]) * weight), 0);
  return sum % 10 === Number(plain[11]);
}

/** GKV-Spitzenverband: the letter counts as its number, weights 1 and 2 with sums of figures. */
function kvnrHolds(found: string): boolean {
  const digits = String(valueOfSign(found[0]!) - 9).padStart(2, '0') + found.slice(1, 9);
  const sum = [...digits].reduce((total, digit, i) => total + crossSum(Number(digit) * (1 + (i % 2))), 0);
  return sum % 10 === Number(found[9]);
}

const HETU = '0123456789ABCDEFHJKLMNPRSTUVWXY';

/** Norwegian: two check figures; the day has 40 added for those who stay a while. */
function fnrHolds(found: string): boolean {
  const digits = digitsOf(found);
  const day = Number(digits.slice(0, 2)) % 40;
  return (
    isDay(digits.slice(2, 4), String(day)) &&
    weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
}

/** Belgian: what the rest by 97 lacks; for those born since 2000 with a 2 before. */
function nrnHolds(found: string): boolean {
  const digits = digitsOf(found);
  const check = Number(digits.slice(9));
  const first = digits.slice(0, 9);
  return (
    beginsWithDay(digits, [0, 20, 40]) &&
    [first, `2${first}`].some((one) => 97 - (Number(one) % 97) === check)
  );
}

/** Austrian: the fourth figure checks the others. */
function svnrHolds(found: string): boolean {
  const digits = digitsOf(found);
  const sum = weightedSum(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]);
  return isDay(digits.slice(6, 8), digits.slice(4, 6)) && sum % 11 === Number(digits[3]);
}

/** Estonian and Lithuanian: a second row of weights where the first gives 10. */
function balticHolds(found: string): boolean {
  const first = weightedSum(found, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const second = weightedSum(found, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11;
  const check = first < 10 ? first : second % 10;
  return isDay(found.slice(3, 5), found.slice(5, 7)) && check === Number(found[10]);
}

export const EUROPEAN: readonly Form[] = [
  {
    // Bundesministerium des Innern: no vowels, so that no word comes about; ICAO Doc 9303 for the check.
    entityType: 'DE_PASSPORT',
    pattern: '[CFGHJK][CFGHJKLMNPRTVWXYZ\\d]{8}\\d',
    score: 0.1,
    validate: icaoHolds,
    needsWord: true,
    words: ['reisepass', 'pass', 'passnummer', 'reisepassnummer', 'passport'],
  },
  {
    entityType: 'DE_ID_CARD',
    pattern: '[LMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ\\d]{8}\\d',
    score: 0.1,
    validate: icaoHolds,
    needsWord: true,
    words: ['personalausweis', 'ausweis', 'ausweisnummer', 'personalausweisnummer', 'id card'],
  },
  {
    entityType: 'DE_SOCIAL_SECURITY',
    pattern: '\\d{2} ?\\d{6} ?[A-Z] ?\\d{3}',
    score: 0.3,
    validate: rvnrHolds,
    words: ['rentenversicherungsnummer', 'sozialversicherungsnummer', 'versicherungsnummer', 'rvnr', 'svnr'],
  },
  {
    entityType: 'DE_HEALTH_INSURANCE',
    pattern: '[A-Z]\\d{9}',
    score: 0.2,
    validate: kvnrHolds,
    needsWord: true,
    words: ['krankenversicherung', 'krankenversichertennummer', 'kvnr', 'versichertennummer', 'krankenkasse'],
  },
  {
    // Dirección General de la Policía: two or three letters and six figures.
    entityType: 'ES_PASSPORT',
    pattern: '[A-Z]{2,3}\\d{6}',
    score: 0.15,
    words: ['pasaporte', 'passport', 'número de pasaporte'],
  },
  {
    // Digital and Population Data Services Agency: the letter is the rest by 31.
    entityType: 'FI_PERSONAL_IDENTITY_CODE',
    pattern: '(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])\\d{2}[-+A-FU-Y]\\d{3}[\\dA-FHJ-NPR-Y]',
    score: 0.3,
    validate: (found) =>
      HETU[Number(digitsOf(found.slice(0, 6) + found.slice(7, 10))) % 31] === found[10]!.toUpperCase(),
    words: ['henkilötunnus', 'hetu', 'personbeteckning'],
  },
  {
    // Skatteverket, SKV 704: a Luhn number of the last ten figures.
    entityType: 'SE_PERSONNUMMER',
    pattern: '(?:(?:18|19|20)\\d{2}|\\d{2})\\d{4}[-+]\\d{4}',
    score: 0.3,
    validate: (found) => beginsWithDay(digitsOf(found).slice(-10)) && luhn(digitsOf(found).slice(-10)),
    words: ['personnummer', 'personnr', 'pnr'],
  },
  {
    // The same, and Bolagsverket: the third figure is 2 or more.
    entityType: 'SE_ORGANISATIONSNUMMER',
    pattern: '\\d{2}[2-9]\\d{3}-?\\d{4}',
    score: 0.1,
    validate: luhnHolds,
    needsWord: true,
    words: ['organisationsnummer', 'organisationsnr', 'orgnr', 'org.nr', 'org nr'],
  },
  {
    // CPR-kontoret: day and serial; the check was given up in 2007.
    entityType: 'DK_CPR',
    pattern: '(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])\\d{2}-?\\d{4}',
    score: 0.2,
    words: ['cpr', 'cpr-nr', 'cpr-nummer', 'cprnr', 'personnummer'],
  },
  {
    // Skatteetaten.
    entityType: 'NO_FODSELSNUMMER',
    pattern: '\\d{6} ?\\d{5}',
    score: 0.2,
    validate: fnrHolds,
    words: ['fødselsnummer', 'fodselsnummer', 'personnummer', 'fnr', 'd-nummer'],
  },
  {
    // Rijksregister: the key of 97.
    entityType: 'BE_NATIONAL_NUMBER',
    pattern: '\\d{2}\\.?\\d{2}\\.?\\d{2}[- ]?\\d{3}[.]?\\d{2}',
    score: 0.2,
    validate: nrnHolds,
    words: ['rijksregisternummer', 'rijksregister', 'registre national', 'niss', 'insz', 'numéro national'],
  },
  {
    // Zentrale Ausgleichsstelle: an EAN of 13 figures that begins with 756.
    entityType: 'CH_AHV',
    pattern: '756\\.?\\d{4}\\.?\\d{4}\\.?\\d{2}',
    score: 0.3,
    validate: (found) => endsInComplement(digitsOf(found), [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3], 10),
    words: ['ahv', 'avs', 'ahv-nummer', 'numéro avs', 'sozialversicherungsnummer'],
  },
  {
    // Österreichische Sozialversicherung.
    entityType: 'AT_SVNR',
    pattern: '[1-9]\\d{3} ?\\d{6}',
    score: 0.1,
    validate: svnrHolds,
    needsWord: true,
    words: ['svnr', 'sozialversicherungsnummer', 'versicherungsnummer', 'sv-nummer', 'sv-nr'],
  },
  {
    // Ministerstvo vnitra: a multiple of 11; the month has 50 added for women, 20 more since 2004. Slovakia has the same.
    entityType: 'CZ_BIRTH_NUMBER',
    pattern: '\\d{6}/\\d{4}',
    score: 0.2,
    validate: (found) =>
      beginsWithDay(digitsOf(found), [0, 20, 50, 70]) && Number(digitsOf(found)) % 11 === 0,
    words: ['rodné číslo', 'rodne cislo', 'r.č.', 'rč'],
  },
  {
    // Direcția pentru Evidența Persoanelor: weights 279146358279, 10 counts as 1.
    entityType: 'RO_CNP',
    pattern: '[1-9]\\d{12}',
    score: 0.1,
    validate: (found) =>
      isDay(found.slice(3, 5), found.slice(5, 7)) &&
      endsInRest(found, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9], 11, 1),
    needsWord: true,
    words: ['cnp', 'cod numeric personal'],
  },
  {
    // ГРАО: weights 2, 4, 8, 5, 10, 9, 7, 3, 6; the month has 20 or 40 added for other centuries.
    entityType: 'BG_EGN',
    pattern: '\\d{10}',
    score: 0.1,
    validate: (found) =>
      beginsWithDay(found, [0, 20, 40]) && endsInRest(found, [2, 4, 8, 5, 10, 9, 7, 3, 6], 11),
    needsWord: true,
    words: ['егн', 'egn', 'единен граждански номер'],
  },
  {
    // Porezna uprava: ISO 7064 MOD 11,10.
    entityType: 'HR_OIB',
    pattern: '\\d{11}',
    score: 0.1,
    validate: mod1110,
    needsWord: true,
    words: ['oib', 'osobni identifikacijski broj'],
  },
  {
    // Estonia (Rahvastikuregister) and Lithuania (Gyventojų registras) have one form.
    entityType: 'EE_LT_PERSONAL_CODE',
    pattern: '[1-6]\\d{10}',
    score: 0.1,
    validate: balticHolds,
    needsWord: true,
    words: ['isikukood', 'asmens kodas', 'personal code'],
  },
  {
    // ΗΔΙΚΑ: the birthday and a Luhn figure.
    entityType: 'GR_AMKA',
    pattern: '(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])\\d{7}',
    score: 0.1,
    validate: luhnHolds,
    needsWord: true,
    words: ['αμκα', 'α.μ.κ.α', 'amka'],
  },
  {
    // Nüfus ve Vatandaşlık İşleri: two check figures.
    entityType: 'TR_NATIONAL_ID',
    pattern: '[1-9]\\d{10}',
    score: 0.1,
    validate: (found) =>
      weightedSum(found, [7, -1, 7, -1, 7, -1, 7, -1, 7, -1]) % 10 === 0 &&
      endsInRest(found, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 10),
    words: ['tc kimlik', 'kimlik no', 'tckn', 'kimlik numarası', 'vatandaşlık'],
  },
];
