/** Firms, goods and works that are called like people, and the nationality of a work, which is nobody's. */

import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { coversAll } from '../../patterns/matches-of.js';
import { listsBefore, listsBehind, wordsBefore, wordsBehind, wordsOf } from '../words-beside.js';

const BUSINESS = lean(
  /^(?:['’]s|['’]| s)? (?:Pizz(?:a|eria)|Restaurants?|Grill|Grille|Diner|Caf[eé]|Bar|Pub|Tavern|Bakery|Deli|Kitchen|Steakhouse|Burgers?|Barbecue|BBQ|Karate|Gym|Salon|Spa|Motors|Motorsports|Auto|Automotive|Garage|Plumbing|Roofing|Hardware|Stores?|Shops?|Market|Supermarket|Pharmacy|Florist|Jewelers|Furniture|Electric|Construction|Industries|Holdings|Ltd|Inc|Corp|GmbH|LLC|LLP|Bros|Brothers|Foundation|University|College|Hospital|Airport|Stadium|Museum|Street|Avenue|Boulevard)(?![\p{L}\d])/u,
);
const HAS_BUSINESS = wordsBehind.add(`s|${wordsOf(BUSINESS)}`);
/** The same where the model takes it for a part of the name, and nobody is called so. */
const ENDS_AS_BUSINESS = new Set(
  'Motors Motorsports Automotive Plumbing Roofing Pharmacy Jewelers Construction Industries Holdings Restaurant Pizzeria Supermarket GmbH LLC LLP Controls Instruments Semiconductor Semiconductors Systems Technologies Dynamics Electronics Pharmaceuticals Therapeutics Logistics Foods Sportswear Enterprises Group Insurance Airlines Bootcamp Workshop Webinar Conference Summit Marathon Championship Championships Trophy Awards Festival Expo Symposium Hackathon Initiative Tournament Challenge'.split(
    ' ',
  ),
);
/** What a company is, behind its name. */
const COMPANY_FORM = lean(/^,? (?:Inc|Ltd|LLC|LLP|Corp|GmbH|AG|PLC|S\.A\.|and affiliates)(?![\p{L}\d])/u);
const HAS_COMPANY_FORM = wordsBehind.add(wordsOf(COMPANY_FORM));
const BEFORE_BUSINESS = /(?:Law Offices of|Hurricane|Typhoon|Cyclone|Tropical Storm|Superstorm) $/;
const HAS_BEFORE_BUSINESS = wordsBefore.add('of|Hurricane|Typhoon|Cyclone|Storm|Superstorm');
/** What is sold under a name: `John Deere tractors`. */
const GOODS = lean(
  /^ (?:(?:face|hand|body|night|day|hair|lip|eye|skin|foot|shower|running|hiking|rain|leather|scented) )?(?:toolbox(?:es)?|drills?|saws?|ladders?|mower|blades?|tape measure|chisels?|creams?|lotions?|soaps?|balms?|serums?|face masks?|toothpaste|hoovers?|washers?|vacuums?|fridges?|kettles?|toasters?|cups?|mugs?|laptops?|printers?|dishwashers?|bags?|coats?|jackets?|scarf|scarves|belts?|wallets?|socks|glasses|frames|hats|gowns?|ties|backpacks?|suitcases?|fragrances?|aftershave|mascara|foundation shade|candles?|bikes?|cars?|tyres|vans|sedan|SUV|paints?|tractors?|mowers?|cakes|cookies|chocolates?|beers?|whiske?ys?|wines?|vodka|coffee|jeans|shoes|boots|sneakers|trainers|handbags?|purses?|shirts?|suits|dresses|sunglasses|watches|perfumes?|lipsticks?|shampoo|cosmetics|razors?|mattress(?:es)?|sofas?|furniture|guitars?|pianos?|motorcycles?|motorbikes?|trucks?|tires|tyres|batteries|soups?|sauces?|cereals?|ice cream|franchises?|shares|stocks?|vouchers?|gift cards?|outlets?|stores?)(?!\p{L}| (?:the|an?|his|her|its|their|my|your|our|it|them|me|us|him|to|on|for|up|out)(?!\p{L}))/u,
);
/** `svenja hats dokumentiert`, in German. */
const HAS_IT = /^ hats \p{Ll}/u;
const HAS_GOODS = wordsBehind.add(wordsOf(GOODS));
/** Two or three surnames that do something as one: `Lopez, Santos and Coleman is hiring`. */
const AS_ONE = lean(
  /(?<=^|[.!?\n]\s?)\p{Lu}[\p{L}'’-]+(?:, \p{Lu}[\p{L}'’-]+)?,? (?:and|&) \p{Lu}[\p{L}'’-]+ (?:is|has|was|does|offers|sells)(?!\p{L})/gu,
);
const AS_ONE_UNITS = 48;
/** `un profumo Giorgio Armani`, `pair of Dr. Martens`: goods of a firm that is called so. */
const GOODS_BEFORE = lean(
  /(?<!\p{L})(?:pairs? of|bottles? of|profum[oi]|borsett?[ae]|borsa|scarpe|vestit[oi]|cravatt[ae]|giacc[ah]e?|perfume|bolso|zapatos|vestido|corbata|reloj|parfum|sac|montre|chaussures|robe|foulard|Parfüm|Tasche|Handtasche|Schuhe|Uhr|Kleid|Anzug|Krawatte|bolsa|sapatos|relógio|tas|schoenen|horloge|jurk|perfumy|torebk[aęi]|buty|zegarek|a pair of) (?:(?:di|de|von|der Marke|van|marki) )?(?:Dr\. )?$/iu,
);

const HAS_GOODS_BEFORE = wordsBefore.add(
  'of|profum[oi]|borsett?[ae]|borsa|scarpe|vestit[oi]|cravatt[ae]|giacc[ah]e?|perfume|bolso|zapatos|vestido|corbata|reloj|parfum|sac|montre|chaussures|robe|foulard|Parfüm|Tasche|Handtasche|Schuhe|Uhr|Kleid|Anzug|Krawatte|bolsa|sapatos|relógio|tas|schoenen|horloge|jurk|perfumy|torebk[aęi]|buty|zegarek|di|de|von|Marke|van|marki|Dr',
);

/** Whether what the model takes for somebody is a firm, or what it sells. */
export function isFirm(text: string, { type, start, end }: NameSpan, found: string): boolean {
  const behind = listsBehind(text, end);
  if ((behind & (HAS_BUSINESS | HAS_COMPANY_FORM | HAS_GOODS)) !== 0) {
    const after = text.slice(end, end + 24);
    if (BUSINESS.test(after) || COMPANY_FORM.test(after) || (GOODS.test(after) && !HAS_IT.test(after)))
      return true;
  }
  const lastBlank = found.lastIndexOf(' ');
  if (type === 'PERSON' && lastBlank > 0 && ENDS_AS_BUSINESS.has(found.slice(lastBlank + 1))) return true;
  const hasBlank = lastBlank >= 0 || text.slice(start - 4, start) === 'Dr. ';
  const before = text.slice(Math.max(0, start - 28), start);
  const beforeIt = listsBefore(text, start);
  if ((beforeIt & HAS_BEFORE_BUSINESS) !== 0 && BEFORE_BUSINESS.test(before)) return true;
  if (hasBlank && (beforeIt & HAS_GOODS_BEFORE) !== 0 && GOODS_BEFORE.test(before)) return true;
  const from = Math.max(0, start - AS_ONE_UNITS);
  const around = text.slice(from, end + AS_ONE_UNITS);
  if (!around.includes(' and ') && !around.includes(' & ')) return false;
  return coversAll(around, AS_ONE, start - from, end - from);
}

const WORK =
  'films?|movies?|comed(?:y|ies)|dramas?|thrillers?|westerns?|sitcoms?|(?:TV |television |web )?series|miniseries|documentar(?:y|ies)|musicals?|operas?|novels?|novellas?|memoirs?|albums?|songs?|singles?|soundtracks?|magazines?|newspapers?|(?:video |board |card )?games?|telenovelas?|anime|manga|podcasts?';
const THING =
  'company|firm|startup|start-up|agency|brand|retailer|manufacturer|restaurant|chain|band|library|framework|protocol|app|application|website|platform|programming language|tool|village|town|river|genus';
/** What follows where nothing more is said of what it is: no `film director`. */
const ENDS =
  '(?=$|[.,;:!?)\\n]| (?:directed|written|produced|starring|based|about|by|from|of|in|that|which|with|for|released|published|set|founded|made|created|featuring|on|at|and|or|who|where|is|was)(?!\\p{L}))';
/** ` is a 2001 American action-comedy film directed by …`. */
const IS_A_WORK = lean(
  `^,? (?:is|was|are|were) (?:an?|the|one of the) (?:(?!(?:for|of|in|at|by|to|on|from|with|who|that|and)(?!\\p{L}))[\\p{L}\\d'’-]+ ){0,4}(?:${WORK}|${THING})${ENDS}`,
  'iu',
);
const HAS_IS = wordsBehind.add('is|was|are|were');
const DEFINITION_UNITS = 80;

/** Whether the sentence tells that the name is that of a work, a firm or another thing. */
export function isDefinedAsThing(text: string, { end }: NameSpan): boolean {
  return (listsBehind(text, end) & HAS_IS) !== 0 && IS_A_WORK.test(text.slice(end, end + DEFINITION_UNITS));
}

/** `American action-comedy film`, `deutscher Roman`. */
const WORK_BEHIND = lean(
  `^(?:[ -][\\p{Ll}-]+){0,2} (?:${WORK}|Film|Filme|Roman|Romane|Album|Serie|Lied|Komödie)(?!\\p{L})(?! (?:director|star|maker|critic|actor|actress|producer|fan)s?)`,
  'u',
);
/** `película argentina`: the nationality stands behind, in small letters. */
const WORK_BEFORE = lean(
  /(?<!\p{L})(?:films?|películas?|novelas?|canci(?:ón|ones)|series?|libros?|romans?|albums?|romanz[oi]|canzon[ei]|filmes?|romances?) $/iu,
);

/** Whether a nationality is that of a work, and says nothing of anybody. */
export function isOfWork(text: string, { start, end }: NameSpan): boolean {
  if (WORK_BEHIND.test(text.slice(end, end + DEFINITION_UNITS))) return true;
  return (
    /^\p{Ll}/u.test(text.slice(start, end)) && WORK_BEFORE.test(text.slice(Math.max(0, start - 12), start))
  );
}

/** Laws and plans are called after those who made them: `la loi Evin`, `le barème Macron`, `Lex Koller`. */
const LAW = lean(
  /(?<!\p{L})(?:lois?|barème|décrets?|ordonnances?|réforme|prime|taxe|amendement|dispositif|rapport|circulaire|lei|ley|leyes|legge|decreto|riforma|reforma|Gesetz|Lex|Novelle|ustaw[aęy]|wet|Act|Bill|amendment|doctrine|plan) $|(?<!\p{L})(?:théorème|lois?|principe|effet|syndrome|constante|équation|méthode|teorema|principio|efecto|ley|effetto|legge|princípio|efeito|lei|Satz|twierdzenie|prawo|zasada|stelling|wet) (?:de |d['’]|di |von |des |van )?$/u,
);
const HAS_LAW = wordsBefore.add(
  'lois?|barème|décrets?|ordonnances?|réforme|prime|taxe|amendement|dispositif|rapport|circulaire|lei|ley|leyes|legge|decreto|riforma|reforma|Gesetz|Lex|Novelle|ustaw[aęy]|wet|Act|Bill|amendment|doctrine|plan|Satz|twierdzenie|prawo|zasada|stelling|de|di|von|des|van',
);
/** `Clare's Law`. */
const ITS_LAW = /^['’]s (?:Law|Act|Rule)(?!\p{L})/u;
const ONE_NAME = /^\p{Lu}\p{Ll}+$/u;

export function isLaw(text: string, start: number, before: string, found: string): boolean {
  const end = start + found.length;
  if ("'’".includes(text.charAt(end) || ' ') && ITS_LAW.test(text.slice(end, end + 10))) return true;
  const isOwned = before.endsWith("'") || before.endsWith('’');
  if (!isOwned && (listsBefore(text, start) & HAS_LAW) === 0) return false;
  return ONE_NAME.test(found) && LAW.test(before);
}
