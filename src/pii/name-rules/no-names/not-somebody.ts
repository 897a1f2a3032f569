/** What the model takes for somebody though the words beside it say that it is a relative's word, a colour, a plant, a car or a firm. */

import { type Gazetteer, LIST_FIRST_NAME, LIST_FREQUENT_FIRST_NAME, wordKey } from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { haveListed, isSmallAt, listsBefore, mayBeListed, wordsBefore } from '../words-beside.js';
import { isPlant } from './plants-and-food.js';

const RELATIVE =
  /^(?:nan|nana|nanny|nanna|gran|granny|grandma|grandpa|gramps|pop|pops|papa|dad|daddy|mum|mom|mama|sis|bro|auntie|hubby|wifey|oma|opa|omi|opi|mutti|papi|mami|mamie|papy|papi|abuela|abuelo|nonna|nonno|avó|avô|vovó|babcia|dziadek|bf|gf|ex|boss|mate|dog|cat)$/u;
const OWNER = lean(
  /(?<!\p{L})(?:my|his|her|our|your|their|meine?|sein[er]?|ihre?|mon|ma|sa|son|mi|su|mia|sua|meu|minha|mijn|haar|mój|moja|the|a) $/iu,
);
/** `Auntie's postcard`. */
const OWNS = /^['’]s \p{Ll}/u;
const COLOUR =
  /^(?:Brown|White|Black|Gray|Grey|Green|Golden|Silver|Ginger|Sandy|Rusty|Hazel|Amber|Violet|Scarlet|Blue|Pink)$/u;
/** `Brown, shaggy, no collar`: what something looks like. */
const LOOKS = /^, \p{Ll}+(?:[,.;]| and )/u;
/** `the Suzuki is fine`: nobody stands behind an article. */
const ARTICLE = lean(
  /(?<!\p{L})(?:[Tt]he|[Aa]n?|another|every|each|[Tt]his|[Tt]hat) (?:(?:old|new|blue|red|white|black|grey|gray|silver|green|yellow) )?$/u,
);
const HAS_ARTICLE = wordsBefore.add(
  'the|an?|another|every|each|this|that|old|new|blue|red|white|black|grey|gray|silver|green|yellow',
);
const DOES = lean(
  /^(?:[,.;!?]|$| (?:is|was|has|had|needs?|needed|goes|went|broke|won['’]t|will|runs|starts|stalled|belongs?|parked|does|did|contains?|comes|costs?|tastes?|looks?|fits|opens|closes|arrives|and|or|with)(?!\p{L}))/u,
);
/** Cars and hotels that are called like people. */
const OF_FIRM = new Set(
  'Hilton Harley Mercedes Porsche Audi Dyson Hoover Chrysler Ford Bentley Lincoln Marriott Sheraton Jaguar Dodge Stanley Austin Morris Holden Royce Ferrari Tesla Cessna Ritz Savoy Carlton Westin'.split(
    ' ',
  ),
);
/** What numbers are called by. */
const IDENTIFIER = new Set(
  'itin tin ITIN ssn SSN ein EIN iban IBAN bic BIC vat VAT nif NIF nie NIE dni DNI abn ABN tfn TFN acn ACN nhs NHS nric NRIC cpf CPF pesel PESEL bsn BSN nino NINO dob DOB dea DEA aadhaar Aadhaar uuid guid imei isbn eori swift sku cvv pin otp vin mrn npi ref sepa blz siret siren urssaf regon insee rfc curp nir plz zip'.split(
    ' ',
  ),
);
/** `mia moglie`: somebody, by no name. */
const OWNED =
  /^(?:m[iy]|m[ií][oa]|su|su[oa]|tu[oa]?|nostr[oa]|nuestr[oa]|meine?|mon|ma|sa|son|notre|minha|meu|mijn|onze|haar|moja|mój|his|her|our|your|their) \p{Ll}+$/u;
/** Who is told `Danke, Schatz`. */
const READER = new Set(
  'Schatz Liebling Schätzchen Chéri Chérie Cariño Tesoro Amore Querido Querida Lieverd Schat Kochanie Skarbie Honey Darling Sweetie Buddy'.split(
    ' ',
  ),
);
haveListed(IDENTIFIER, READER, OF_FIRM);
const LETTER = /\p{Ll}/u;

/** `Bill to:`, above an address. */
const ABOVE_ADDRESS = /^ to ?(?::|\n)/i;

/** `mark` of `mark-and-sweep`: a part of a word in small letters. */
function isInCompound(text: string, start: number, end: number): boolean {
  if (!isSmallAt(text, start)) return false;
  const isBefore = text[start - 1] === '-' && LETTER.test(text[start - 2] ?? '');
  return isBefore || (text[end] === '-' && LETTER.test(text[end + 1] ?? ''));
}
/** `Casper, the mattress maker,`. */
const FIRM_BEHIND = lean(
  /^, (?:an?|the|its?|our|their) (?:(?!(?:of|in|at|for|who|founder|owner|head|boss)(?!\p{L}))[\p{L}'’-]+ ){0,4}(?:maker|manufacturer|company|firm|startup|start-up|brand|retailer|chain|airline|carrier|lender|insurer|bank|publisher|supplier|distributor|app|platform|vendor|brewery|carmaker|automaker|broadcaster|newspaper|magazine|band|football club)(?=$|[,.;:)\n]| (?:that|which|behind|from|based|said|has|is|was|did|in)(?!\p{L}))/u,
);

/** Whether the words beside it say that a span of the model is nobody. */
export function isNotSomebody(
  text: string,
  { start, end }: NameSpan,
  found: string,
  lists: Gazetteer,
): boolean {
  const after = text.slice(end, end + 24);
  const before = text.slice(Math.max(0, start - 12), start);
  if (isSmallAt(text, start) && RELATIVE.test(found) && OWNER.test(before)) return true;
  if (text[end + 1] === 's' && OWNS.test(after) && RELATIVE.test(found.toLowerCase())) return true;
  const mayBe = mayBeListed(text, start);
  if (
    (mayBe && IDENTIFIER.has(isSmallAt(text, start) ? found.split(' ', 1)[0]! : found)) ||
    (isSmallAt(text, start) && OWNED.test(found))
  )
    return true;
  if (found === 'Bill' && ABOVE_ADDRESS.test(after)) return true;
  if (mayBe && READER.has(found) && before.endsWith(', ')) return true;
  if (isPlant(text, start, end, found) || isInCompound(text, start, end)) return true;
  if (text[end] === ',' && FIRM_BEHIND.test(text.slice(end, end + 80))) return true;
  if (found.includes(' ')) return false;
  if (text[end] === ',' && COLOUR.test(found) && LOOKS.test(after)) return true;
  if ((listsBefore(text, start) & HAS_ARTICLE) === 0 || !ARTICLE.test(before)) return false;
  if (mayBe && OF_FIRM.has(found) && !/^ \p{Lu}/u.test(after)) return true;
  if (!DOES.test(after)) return false;
  return (lists.find(wordKey(text, start, end)) & (LIST_FIRST_NAME | LIST_FREQUENT_FIRST_NAME)) === 0;
}
