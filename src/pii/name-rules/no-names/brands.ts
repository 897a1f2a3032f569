/** Brands with a title or a first name of their own: `Dr. Oetker`, `Levi's`. */

import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { haveListed, listsBefore, mayBeListed, wordsBefore } from '../words-beside.js';

const TITLE = lean(
  /(?<!\p{L})(?:Dr|Doc|Mrs?|Ms|Miss|Uncle|Aunt|Papa|Captain|Cap['’]n|Colonel|Little|Sir|Lady)\.? $/u,
);
/** Behind a title these are brands, and works, that nobody is called like. */
const TITLED = new Set(
  'Beast Martens Oetker Pepper Scholl Bronner Hauschka Jart Barbara Who Doolittle Strangelove Jemima Dash Clean Muscle Kipling Robot Doubtfire Butterworth Freeze Potato Peanut Softee Sparkle Whippy Claus Crunch Caesars Seuss Meyers Tumble Propper'.split(
    ' ',
  ),
);
/** And these where the words around speak of shops, since people are called so. */
const TITLED_IN_SHOPS = new Set(
  'Fields Meyer Brown Ben Bens Coffee Bean Strange Morgan Sanders Freshley Bessie John Johns Baker'.split(
    ' ',
  ),
);
/** With `'s`: firms and goods that are called so. */
const POSSESSIVE = new Set(
  (
    'Arby Applebee Bloomingdale Bojangles Cadbury Campbell Christie Culver Debenham Denny Domino Dunkin Fazoli Foyle Hardee Harrod Hershey Kellogg Kohl Lay Levi Lloyd Lowe Macy McDonald Menard Mcdonald Michael Moody ' +
    'Morrison Nando Reese Sainsbury Schlotzsky Selfridge Smucker Snyder Sotheby Steinway Stouffer Thornton Waterstone Wendy Wetherspoon Wegman Wilkinson Zaxby Jerry Jack Friendly Chili Carl Dick Casey Claire Sam Victoria'
  ).split(' '),
);
haveListed(TITLED, TITLED_IN_SHOPS, POSSESSIVE);
const OF_SHOPS = lean(
  /(?<!\p{L})(?:shops?|stores?|stock|brands?|outlets?|malls?|sells?|selling|sold|buy|buying|bought|vouchers?|gift cards?|boots|shoes|jeans|cookies|cake|mix|sauce|soap|burgers?|pizzas?|fries|lunch|dinner|a table|snacks?|ordered|menu|franchise|on sale|discount|coupons?|aisle|pack|can of|bottle of|bag of|box of|supermarket|delivery|Doordash|takeaway|kaufen|Laden|Marke|acheter|magasin|marque|comprar|tienda|marca|negozio|comprare|loja|winkel|kopen|sklep)(?!\p{L})/iu,
);
const AROUND_UNITS = 60;
/** Makers of one trade that are called like people: two of them near each other are none. */
const MAKERS = [
  'Gibson Fender Ibanez Marshall Steinway Yamaha Roland Epiphone Rickenbacker Gretsch Martin Taylor Moog Korg',
  'Hermès Chanel Dior Gucci Prada Versace Cartier Burberry Bulgari Givenchy Balenciaga Fendi Valentino Armani Vuitton Lacoste Moncler Bottega',
  'Ford Dodge Chrysler Bentley Holden Austin Morris Lincoln Mercury Tesla Porsche Ferrari Maserati Bugatti Lancia Honda Suzuki Skoda Škoda Rivian',
  'Dell Lenovo Acer Asus Toshiba Fujitsu Cisco Packard Hewlett Compaq',
  'Bosch Siemens Miele Dyson Philips Braun Krups Hoover Kärcher Makita Stihl Husqvarna Fischer Stanley',
].map((names) => new Set(names.split(' ')));
haveListed(...MAKERS);
const MAKER_UNITS = 48;
const WORD = lean(/(?<!\p{L})\p{Lu}\p{L}+(?!\p{L})/gu);
/** What it costs there: `Dell at $1,089.50`. */
const PRICE_BEHIND =
  /^ (?:came in |comes in |offers it |quotes? )?(?:at|po|à|zu|für|por|voor) (?:[$€£] ?\d|\d[\d.,]{3,} ?(?:[€$£]|zł|EUR|USD|GBP|each|per |net|plus))/;
/** `les marques Yves Rocher et`, `shops like Boots, `. */
const KINDS =
  'marques|brands|marcas|Marken|merken|marche|marki|retailers|suppliers|supermarkets|Hersteller|Lieferanten|fournisseurs|proveedores|fornitori|fornecedores';
const LINKS = 'and|et|und|y|e|en|i|or|ou|o|oder';
const BRANDS_BEFORE = lean(
  `(?<!\\p{L})(?:${KINDS}) (?:like |such as |wie |comme |como |jak |zoals )?(?:\\p{Lu}[\\p{L}'’&-]*(?: [\\p{Lu}&][\\p{L}'’&-]*){0,3}(?:, | (?:${LINKS}) | & )){0,4}$`,
  'u',
);
const HAS_KIND = wordsBefore.add(`${KINDS}|${LINKS}|like|as|wie|comme|como|jak|zoals`);
const BRANDS_UNITS = 64;
/** What is bought of a firm on the market. */
const SHARES_BEFORE = lean(
  /(?<!\p{L})(?:actions?|titre|Aktien?|acci(?:ón|ones)|azion[ei]|titolo|aç(?:ão|ões)|aande(?:el|len)|akcj[aeę]|shares? (?:in|of)|stock (?:in|of)) (?:(?:de|di|von|van) )?$/u,
);
const HAS_SHARES = wordsBefore.add(
  'actions?|titre|Aktien?|acci(?:ón|ones)|azion[ei]|titolo|aç(?:ão|ões)|aande(?:el|len)|akcj[aeę]|in|of|de|di|von|van',
);
/** `did Uncle Ben's.`: nothing follows that is somebody's. */
const ENDS_OWNED = /^(?:[.,;:!?)]|$| (?:and|or|both|und|et|y|e)(?![a-z]))/;
/** What belongs to somebody. */
const OWNED = lean(
  /^['’]s \p{Ll}{3,}(?<! (?:and|was|are|has|for|too|the|does|did|but|near|will|can|had|because|with))(?!\p{L})/u,
);

function isOwnedAlone(text: string, end: number): boolean {
  const isOwner = text.startsWith("'s", end) || text.startsWith('’s', end);
  return isOwner && ENDS_OWNED.test(text.slice(end + 2, end + 8));
}

function isMaker(text: string, start: number, end: number, found: string): boolean {
  const makers = MAKERS.find((names) => names.has(found));
  if (makers === undefined) return false;
  const around = `${text.slice(Math.max(0, start - MAKER_UNITS), start)} ${text.slice(end, end + MAKER_UNITS)}`;
  for (const [other] of matchesOf(around, WORD)) if (other !== found && makers.has(other)) return true;
  return false;
}

/** Whether brands are listed there. */
function isOfBrands(text: string, start: number): boolean {
  const isInList = text.charAt(start - 2) === ',' || (listsBefore(text, start) & HAS_KIND) !== 0;
  return isInList && BRANDS_BEFORE.test(text.slice(Math.max(0, start - BRANDS_UNITS), start));
}

/** Whether the words beside [start, end) make a brand of it. */
export function isBrand(text: string, { start, end }: NameSpan, found: string): boolean {
  const word = found.endsWith("'s") || found.endsWith('’s') ? found.slice(0, -2) : found;
  const areSold = (listsBefore(text, start) & HAS_SHARES) !== 0;
  if (areSold && SHARES_BEFORE.test(text.slice(Math.max(0, start - 20), start))) return true;
  if (isOfBrands(text, start)) return true;
  if (text[end] === ' ' && PRICE_BEHIND.test(text.slice(end, end + 32))) return true;
  if (!mayBeListed(text, start)) return false;
  if (isMaker(text, start, end, found)) return true;
  const isTitled = () => TITLE.test(text.slice(Math.max(0, start - 8), start));
  if (TITLED.has(found)) return isTitled();
  const isInShop = () =>
    OF_SHOPS.test(text.slice(Math.max(0, start - AROUND_UNITS), start)) ||
    OF_SHOPS.test(text.slice(end, end + AROUND_UNITS));
  if (TITLED_IN_SHOPS.has(word) && isTitled()) return isInShop() || isOwnedAlone(text, start + word.length);
  if (!POSSESSIVE.has(word)) return false;
  const after = text.slice(start + word.length, end + 16);
  return /^['’]s(?!\p{L})/u.test(after) && !OWNED.test(after) && isInShop();
}
