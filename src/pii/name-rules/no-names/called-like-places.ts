/** Firms and goods whose names begin with a place: `Texas Instruments`, `Sahara Glow night cream`. */

import { CLASS_LETTER, CLASS_UPPER, charClass } from '../../model/characters.js';
import {
  type Gazetteer,
  LIST_CITY,
  LIST_LARGE_CITY,
  LIST_PLACE,
  LIST_REGION,
  wordKey,
} from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';

/** What only firms are called at the end of their names. */
const FIRM =
  'Instruments|Dynamics|Scientific|Consulting|Controls|Semiconductors?|Systems|Technologies|Technology|Solutions|Software|Robotics|Analytics|Biotech|Biosciences|Therapeutics|Pharma|Pharmaceuticals|Electronics|Electric|Insurance|Assurance|Logistics|Freight|Supplies|Traders|Trading|Imports|Exports|Foods|Dairy|Roasters|Brewing|Brewery|Distillery|Winery|Steel|Motors|Motor Company|Mining|Petroleum|Aerospace|Avionics|Sportswear|Outfitters|Clothing|Apparel|Footwear|Roadhouse|Bancorp|Capital|Ventures|Holdings?|Partners|Associates|Group|Corporation|Company|Enterprises|Industries|Manufacturing|Telecom|Communications|Networks|Interactive|Entertainment|Pictures|Publishing|Media|Airlines|Airways|Railways|Shipping|Ferries|Authority|Southern Railway|Ltd|Limited|Inc|LLC|LLP|Corp|GmbH|AG|PLC|Plc|plc|Berhad|Bhd|Oy|ASA|S\\.A\\.';
/** Up to three words between the place and such a word, which ends the name. */
const FIRM_BEHIND = lean(
  `^(?: &)?(?: \\p{Lu}[\\p{L}&'’-]*){0,3}? (?:${FIRM})(?![\\p{L}]| (?:Street|Road|Building|House|Tower|Park|Station|District|Quarter|Avenue))`,
  'u',
);
const FIRMS = new Set(FIRM.split('|'));
/** What is sold under names that somebody made up. */
const GOODS =
  'creams?|soaps?|lotion|shampoo|conditioner|perfume|fragrance|cologne|toothpaste|deodorant|freshener|candles?|masks?|balm|serum|mascara|lipstick|gel|scrub|moisturi[sz]er|cleanser|detergent|softener|oil|spray|tea|coffee|beer|ale|lager|gin|rum|vodka|wine|juice|smoothies?|soda|lemonade|crisps|chips|cookies|biscuits|cereal|muesli|granola|chocolates?|yogh?urt|cheese|spread|sauce|ketchup|jacket|boots|shoes|trainers|sneakers|sandals|socks|backpack|tent|sleeping bag|pillow(?:s|case)?|mattress|duvet|rug|sofa|towels?|curtains|lamp|headphones|earbuds|speaker|keyboard|kettle|toaster|bike|scooter|nail polish|eye ?shadow|foundation|body wash|shower oil|bath salts?';
const GOODS_BEHIND = lean(`^(?: \\p{Ll}[\\p{Ll}-]+)? (?:${GOODS})(?!\\p{L})`, 'u');
/** The rest of the name before them. */
const NAMED_GOODS_BEHIND = lean(
  `^(?: \\p{Lu}\\p{Ll}+){1,2}(?: \\p{Ll}[\\p{Ll}-]+)? (?:${GOODS})(?!\\p{L})`,
  'u',
);
const BEHIND_UNITS = 56;
const PLACES = LIST_CITY | LIST_LARGE_CITY | LIST_PLACE | LIST_REGION;
const WORDS = lean(/^\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,3}$/u);
const BLANK = 0x20;
const AND = 0x26;

/** Whether a place is only a part of what a firm is called, or something that is sold. */
export function isOfFirmOrGoods(text: string, { start, end }: NameSpan, lists: Gazetteer): boolean {
  const next = text[end] === ' ' ? text.charCodeAt(end + 1) : BLANK;
  const found = text.slice(start, end);
  if (charClass[next] === CLASS_UPPER || next === AND) {
    const after = text.slice(end, end + BEHIND_UNITS);
    if (FIRM_BEHIND.test(after) || NAMED_GOODS_BEHIND.test(after)) return WORDS.test(found);
  }
  const blank = found.lastIndexOf(' ');
  if (blank < 0) return false;
  if (FIRMS.has(found.slice(blank + 1))) return WORDS.test(found);
  return (
    charClass[next] === CLASS_LETTER &&
    WORDS.test(found) &&
    (lists.find(wordKey(text, start, end)) & PLACES) === 0 &&
    GOODS_BEHIND.test(text.slice(end, end + BEHIND_UNITS))
  );
}
