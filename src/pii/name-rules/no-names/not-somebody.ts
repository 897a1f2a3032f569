/** What the model takes for somebody though the words beside it say that it is a relative's word, a colour, a plant, a car or a firm. */
import { type Gazetteer, LIST_FIRST_NAME, LIST_FREQUENT_FIRST_NAME, wordKey } from '../../model/gazetteer.js';
import type { NameSpan } from '../../model/names.js';

const RELATIVE =
  /^(?:nan|nana|nanny|nanna|gran|granny|grandma|grandpa|gramps|pop|pops|papa|dad|daddy|mum|mom|mama|sis|bro|auntie|hubby|wifey|oma|opa|omi|opi|mutti|papi|mami|mamie|papy|papi|abuela|abuelo|nonna|nonno|avó|avô|vovó|babcia|dziadek|bf|gf|ex|boss|mate|dog|cat)$/u;
const OWNER =
  /(?<!\p{L})(?:my|his|her|our|your|their|meine?|sein[er]?|ihre?|mon|ma|sa|son|mi|su|mia|sua|meu|minha|mijn|haar|mój|moja|the|a) $/iu;
const COLOUR =
  /^(?:Brown|White|Black|Gray|Grey|Green|Golden|Silver|Ginger|Sandy|Rusty|Hazel|Amber|Violet|Scarlet|Blue|Pink)$/u;
/** `Brown, shaggy, no collar`: what something looks like. */
const LOOKS = /^, \p{Ll}+(?:[,.;]| and )/u;
const BLOOMS =
  /^(?: tree| trees)? (?:is |are |was |were |in full |in )?(?:bloom(?:s|ing|ed)?|blossom(?:s|ing|ed)?|flower(?:s|ing)|wilt(?:s|ed|ing)?|sprout(?:s|ed|ing)?)(?!\p{L})|^ (?:blüht|blühen|verblüht|fleurit|fleurissent|florece|florecen|fiorisce|fioriscono|floresce|bloeit|bloeien|kwitnie|kwitną)(?!\p{L})/u;
const FLOWER =
  /^(?:Róża|Rosa|Rose|Roos|Rosen|Rosas|Lilia|Lilie|Iris|Irys|Dahlia|Dalia|Margarita|Marguerite|Margherita|Erika|Viola|Violeta|Violetta|Jasmin|Jasmine|Jazmín|Azalea|Camelia|Camellia|Magnolia|Hortensia|Begonia|Petunia|Sakura|Daisy|Lily|Poppy|Heather|Holly|Ivy|Hazel|Willow|Laurel|Basil|Rosemary|Olive)$/u;
const GROWS =
  /(?<!\p{L})(?:zakwit\p{Ll}+|kwit\p{Ll}+|ogr[oó]d\p{Ll}*|blüh\p{Ll}*|Garten|Topf|Blüte\p{Ll}*|fleuri\p{Ll}*|jardin|flore\p{Ll}+|jardín|macet\p{Ll}+|fior\p{Ll}+|giardino|vaso|bloei\p{Ll}*|tuin|bloom\p{Ll}*|blossom\p{Ll}*|garden|petals?|pruned?|watered|hedge|flower ?bed)(?!\p{L})/u;
const NEAR_UNITS = 40;
/** `the Suzuki is fine`: nobody stands behind an article. */
const ARTICLE = /(?<!\p{L})(?:the|an?|another|every|each|this|that) $/u;
const DOES =
  /^(?:[,.;!?]|$| (?:is|was|has|had|needs?|needed|goes|went|broke|won['’]t|will|runs|starts|stalled|and|or|with)(?!\p{L}))/u;
/** `Casper, the mattress maker,`. */
const FIRM_BEHIND =
  /^, (?:an?|the|its?|our|their) (?:(?!(?:of|in|at|for|who|founder|owner|head|boss)(?!\p{L}))[\p{L}'’-]+ ){0,4}(?:maker|manufacturer|company|firm|startup|start-up|brand|retailer|chain|airline|carrier|lender|insurer|bank|publisher|supplier|distributor|app|platform|vendor|brewery|carmaker|automaker|broadcaster|newspaper|magazine|band|football club)(?=$|[,.;:)\n]| (?:that|which|behind|from|based|said|has|is|was|did|in)(?!\p{L}))/u;

/** Whether the words beside it say that a span of the model is nobody. */
export function isNotSomebody(text: string, { start, end }: NameSpan, lists: Gazetteer): boolean {
  const found = text.slice(start, end);
  const after = text.slice(end, end + 24);
  const before = text.slice(Math.max(0, start - 12), start);
  if (RELATIVE.test(found) && OWNER.test(before)) return true;
  if (text[end] === ',' && FIRM_BEHIND.test(text.slice(end, end + 80))) return true;
  if (found.includes(' ')) return false;
  if (COLOUR.test(found) && LOOKS.test(after)) return true;
  if (BLOOMS.test(after)) return true;
  if (FLOWER.test(found) && GROWS.test(text.slice(Math.max(0, start - NEAR_UNITS), end + NEAR_UNITS)))
    return true;
  if (!ARTICLE.test(before) || !DOES.test(after)) return false;
  return (lists.find(wordKey(text, start, end)) & (LIST_FIRST_NAME | LIST_FREQUENT_FIRST_NAME)) === 0;
}
