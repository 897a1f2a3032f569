/*
 * Realistic stand-ins, for models that handle placeholders badly. None can belong to a person: addresses are under
 * the domains of RFC 2606 and RFC 5737, phone numbers are reserved for fiction (555-0100 to 555-0199), card numbers
 * are of a test range, and names are unlikely.
 */

const FIRST_NAMES = words(
  `Adela Alaric Amara Ansel Aurelia Basil Beatrix Caspian Cassia Cedric Clio Conrad Cordelia Corin Dahlia Darius
  Delphine Edmund Elara Elowen Emeric Evander Fabian Felicity Fiora Florian Ginevra Hadrian Helena Idris Ingrid
  Isolde Jasper Juniper Kestrel Lavinia Leander Linnea Lorcan Lucian Lyra Marius Mirela Nerissa Octavia Odette
  Orla Orson Ottilie Percival Perdita Quentin Rosalind Rowena Sabine Selwyn Severin Sidony Tamsin Thalia Tristan
  Valerian Viola Wystan Xanthe Yseult Zelda`,
);
const LAST_NAMES = words(
  `Abernale Ashgrove Bellwether Blackmere Brambleton Briarstone Calderwick Cloverly Coldwater Crowhurst Dellamere
  Driftwood Eastermoor Elmswood Fairweather Farthingale Fennimore Foxgrove Glenhollow Goldcrest Greymantle
  Harrowmont Hawksley Hazelbrook Hollowell Inglemere Ironbridge Kingsfold Larkspur Lindenhall Marchmont Merriweath
  Mistlethorn Moorcastle Netherby Oakenfell Osterwyn Pennyroyal Quillfeather Ravenscar Redfern Rookwood Sablewood
  Silverlake Stonebrook Summerfall Swanmere Tallowby Thistledown Thornbury Underhollow Vanterpool Wainscott
  Westermark Whitlock Wildermere Willowby Windermoor Wolfden Yarrowby`,
);
/** Area codes of the North American plan. */
const AREAS = words(`202 212 213 303 305 312 404 415 503 512 602 615 617 702 713 717 801 804 808 907`);
const DOMAINS = ['example.com', 'example.org', 'example.net'];

function words(list: string): string[] {
  return list.trim().split(/\s+/);
}

/** For each type, a function that returns the `index`th stand-in, from 0, or undefined where there are no more. */
const MAKERS: Record<string, (index: number) => string | undefined> = {
  PERSON: (index) => name(index)?.join(' '),
  EMAIL_ADDRESS: (index) => {
    const [first, last] = name(index) ?? [];
    return last === undefined ? undefined : `${first}.${last}@${pick(DOMAINS, index)}`.toLowerCase();
  },
  PHONE_NUMBER: (index) => {
    const line = Math.floor(index / AREAS.length);
    return line < 100 ? `+1 ${pick(AREAS, index)}-555-01${digits(line, 2)}` : undefined;
  },
  CREDIT_CARD: (index) => card(`424242${digits(index, 9)}`),
  IP_ADDRESS: (index) =>
    index < 3 * 254
      ? `${['192.0.2', '198.51.100', '203.0.113'][Math.floor(index / 254)]}.${(index % 254) + 1}`
      : undefined,
  URL: (index) => `https://www.${pick(DOMAINS, index)}/page-${index + 1}`,
};

/** The `index`th realistic stand-in of a type. Undefined where the type has none, or no more. */
export function surrogate(type: string, index: number): string | undefined {
  return Object.hasOwn(MAKERS, type) ? MAKERS[type]!(index) : undefined;
}

/** A first and a last name. No pair is repeated. */
function name(index: number): [string, string] | undefined {
  const round = Math.floor(index / LAST_NAMES.length);
  if (round >= FIRST_NAMES.length) return undefined;
  return [pick(FIRST_NAMES, index + round), pick(LAST_NAMES, index)];
}

function pick(list: readonly string[], index: number): string {
  return list[index % list.length]!;
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0').slice(-length);
}

/** A card number in groups of four, with its check digit (Luhn). */
function card(digitsOfIt: string): string {
  const sum = [...digitsOfIt].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digitsOfIt}${(10 - (sum % 10)) % 10}`.replace(/(\d{4})(?=\d)/g, '$1 ');
}
