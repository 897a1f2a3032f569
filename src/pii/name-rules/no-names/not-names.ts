/** What the model takes for people and is none: shops, storms, titles without a name, ordinary words. */

import {
  type Gazetteer,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_REGION,
  wordKey,
} from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { isDigitUnit } from '../../patterns/units.js';
import { isPairOfMonths } from '../../recognizers/spelled-dates.js';
import { WEEKDAYS } from '../../recognizers/weekdays.js';
import { isDeedBehind } from '../small-letters/lower-deeds.js';
import { isBrazilianForm } from '../small-letters/name-forms.js';
import {
  firstWords,
  hasSmallWord,
  isCapitalAt,
  isSmallAt,
  listsBefore,
  listsBehind,
  mayBeListed,
  wordsBefore,
  wordsBehind,
  wordsOf,
} from '../words-beside.js';
import { isBrand } from './brands.js';
import { isOfFirmOrGoods } from './called-like-places.js';
import { isCodeName } from './code-names.js';
import { isDefinedAsThing, isFirm, isLaw, isOfWork } from './firms-and-works.js';
import { isOfGoods } from './goods-of-nations.js';
import { isNamedFirm } from './named-firms.js';
import { isOfCalendar, isRoom, isRoomOfHouse } from './not-places.js';
import { isNotSomebody } from './not-somebody.js';
import { isInPath, isPartOfAccount } from './paths.js';
import { isFood } from './plants-and-food.js';
import { isProduct, TOOLS } from './products.js';
import { isTermOrSaying } from './terms-and-sayings.js';
import { isOfProgram } from './things-of-programs.js';
import { isTopic } from './topics.js';
import { isColour, isOrderTo, isRise, isThing, isVerb, OF_PEOPLE } from './words-for-things.js';

const ORGANIZATION =
  / (?:Post|Times|Herald|Tribune|Gazette|Chronicle|Energy|University|Exchange|Airlines|Airways|Inc|Corp|Ltd|GmbH|Group|Holdings|Industries|Partners|Associates)\.?$/;
/** A train is none of the places that it runs between. */
const SURE = 0.9;
const CARRIER = lean(/^(?:['’]s)? (?:trains?|flights?|airlines?)(?!\p{L})/u);
const HAS_CARRIER = wordsBehind.add(wordsOf(CARRIER));
/** A paper, a school or an authority of a place. */
const INSTITUTION = lean(
  /^ (?:Examiner|Times|Post|Chronicle|Herald|Tribune|Gazette|Globe|News|University|College|Institute|Orchestra|Symphony|Philharmonic|Airlines|Airways|Police|FC|United|Marriott|Hilton|Attorney|Department|Ministry|Senate|Parliament|Army|Navy|Air Force|International|Film Festival|Stock Exchange)(?!\p{L})/u,
);
const HAS_INSTITUTION = wordsBehind.add(wordsOf(INSTITUTION));
const TEAMS_MEET = 'vs|versus|beats?|beating|outscor(?:e[sd]?|ing)|defeats|thrash(?:es|ed)?';
const HAS_TEAM = wordsBehind.add(
  `v|${TEAMS_MEET}|score[sd]?|scoring|striker|defender|goalkeeper|midfielder|winger|quarterback|squad`,
);
const HAS_BEFORE_TEAM = wordsBefore.add(`v|${TEAMS_MEET}`);
/** A team is called like its town or country. */
const TEAM = lean(
  /^ (?:vs?\.?|versus|beats?|beating|outscor(?:e[sd]?|ing)|defeats|thrash(?:es|ed)?|score[sd]?|scoring|striker|defender|goalkeeper|midfielder|winger|quarterback|squad|\d{1,3} ?[-–] ?\d{1,3})(?![\p{L}\d])/u,
);
const BEFORE_TEAM = lean(
  /(?<!\p{L})(?:vs?\.?|versus|beats?|beating|outscor(?:e[sd]?|ing)|defeats|thrash(?:es|ed)?) $/u,
);
/** What science calls after somebody or a town: `the Hawthorne effect`. */
const FINDINGS =
  'effect|paradox|principle|theorem|conjecture|hypothesis|equation|experiment|algorithm|lemma|sieve|heap|sequence|inequality';
const HAS_FINDING = wordsBehind.add(FINDINGS);
const FINDING = lean(`^(?:['’]s?)? (?:${FINDINGS})(?!\\p{L})`, 'u');
/** What is called after somebody, with an article before: `the Bosman ruling`, `a Mareva injunction`. */
const CALLED_SO =
  'ruling|injunction|manoeuvre|maneuver|catheter|cannula|forceps|retractor|incision|amendment|clause|doctrine|protocol|stent|speculum|splint|stitch|balloon|grand piano|piano';
const HAS_CALLED_SO = wordsBehind.add(CALLED_SO);
const IS_CALLED_SO = lean(`^ (?:${CALLED_SO})(?!\\p{L})`, 'u');
const AN_ARTICLE = /(?<!\p{L})(?:[Tt]he|[Aa]n?) $/u;
const MONTH_NAMES = new Set(['April', 'May', 'June', 'August']);
/** `em junho`, though somebody may be called so elsewhere. */
const IN_MONTH = /(?<!\p{L})(?:em|en|im|w|desde|até|since|until|in|de) $/u;
const STORM = /^(?:Hurricane|Typhoon|Cyclone|Superstorm) /;
const TITLE_ALONE =
  /^(?:Princess|Prince|Duke|Duchess|Queen|King|Earl|Count|Countess|Emperor|Empress|Lord|Lady|Crown Prince|Crown Princess) (?:Royal|Regent|Consort|Dowager|Mother|Imperial|Elector|Charming)$/;
const HAS_TITLE_ALONE = firstWords.add(wordsOf(TITLE_ALONE));
/** A sentence's `the range`, and what every program says first. */
const THE_THING = lean(/^[Tt]he(?: \p{Ll}[\p{L}\p{M}]*)+$/u);
/** Heads of columns that stand side by side. */
const IN_COLUMNS = / {3}|\t/;
const HELLO = lean(/(?<!\p{L})(?:hello|hola|bonjour|hallo|ciao|olá|cześć|witaj),? $/iu);
const WORLD = /^(?:world|mundo|monde|welt|mondo|wereld|świecie)$/iu;
const HAS_WORLD = firstWords.add(wordsOf(WORLD));
/** Before a word that is not there only since a sentence begins. */
const SENTENCE_START = /(?:^|[.!?:\n•*-]["'”)]?\s*)$/;
const ONE_WORD = /^\p{Lu}\p{Ll}+$/u;
/** Long words with the endings of what is done, and of qualities: `Livraison`, `Bestellung`. */
const ABSTRACT =
  /^(?=.{8})\p{Lu}\p{Ll}+(?:aison|tions?|sions?|ungen|ung|keit|heit|schaft|ción|ciones|siones|miento|mientos|zione|zioni|ções|ção|ments?|ness|tät|tà|ité|ités|ering|ości|ość|anie|enie)$/u;
/** A title alone, and words for somebody. */
const NO_ONE =
  /^(?:hiya|heya|howdy|moin|moinmoin|servus|hej|siema|wesh|raga|hoi|oi|yo|sup|Maak|Panna|szef|szefowa|kolega|koleżanka|klient|klientka|Cartão|Banco|Conta|Autopay|salam|selam|kartą|merci|gracias|grazie|danke|dzięki|dziękuję|obrigad[oa]|bedankt|thanks|thx|prete|niks|iets|alles|wal|hes|shes|theyre|whos|thats|prima|gara|Hiya|Moin|Servus|Vollzeit|Teilzeit|Salaam|Salam|Salaams|Namaste|Merhaba|Fwd|Fw|Re|Bcc|Attn|Subj|Groet|Groetjes|Groeten|Bedankt|Bisous|Mr|Mrs|Ms|Miss|Sir|Madam|Dr|Prof|Frau|Herr|Herrn|Fräulein|Pan|Pani|Panie|Pana|Panu|Mevrouw|Meneer|Heer|Señora?|Señorita|Sra?|Madame|Monsieur|Mme|Signora?|Senhora?|Doña|Dona|Sig\.ra|Ing|Dott|Mag|His|Hers|Her|Him|She|He|They)\.?$/;
/** `please mark the box`, `ragazzi chi avvisa`. */
const ASKS =
  /^(?:please|pls|plz|bitte|per favore|por favor|svp|proszę|prosze|graag|ragazz[ie]|raga|gente|pessoal|galera|chic[oa]s|leute|jongens|ludzie|guys|folks) \p{Ll}/u;
const HAS_ASKS = firstWords.add(
  'please|pls|plz|bitte|per|por|svp|proszę|prosze|graag|ragazz[ie]|raga|gente|pessoal|galera|chic[oa]s|leute|jongens|ludzie|guys|folks',
);
const HAS_NO_ONE = firstWords.add(wordsOf(NO_ONE));
/** `jullie de contributie`: pronouns in small letters, which nobody is called. */
const PRONOUN = /^(?:jullie|ihnen|vosotros|ustedes|vocês|euch|wij|zij)(?: |$)/;
const HAS_PRONOUN = firstWords.add(wordsOf(PRONOUN));
/** `Elke vrijdag`. */
const HAS_WEEKDAY = lean(` (?=\\p{Ll})(?:${WEEKDAYS})(?!\\p{L})`, 'u');
/** `import Mark from './Mark.vue'`, in a patch too. */
const IMPORTED = /^ from ['"]/;
/** `Ihre Lieferung`, behind a salutation that ends in a comma. */
const YOURS =
  /^(?:(?:Ihr|Eur|Dein|Unser|Mein|Kein)(?:e[rnms]?)?|Euer|Votre|Notre|Vos|Nos|Vostra|Vostro|Vuestr[oa]|Uw|Jullie|Twoj[ae]|Twój|Pańsk[ia]|Państwa) \p{Lu}/u;
const HAS_YOURS = firstWords.add(wordsOf(YOURS));
/** What a text is written in, in Dutch: `deze Engelse tekst`. */
const IN_DUTCH =
  /^(?:Engels|Frans|Duits|Spaans|Italiaans|Portugees|Portuges|Pools|Russisch|Turks|Nederlands|Chinees|Chines|Japans|Arabisch|Grieks|Zweeds|Deens|Noors|Fins|Fries|Latijns)e$/u;
/** `a dot`, `the red dot`: nobody stands behind an article in small letters. */
const SMALL_WORD = /^\p{Ll}+$/u;
const ARTICLE = lean(
  /(?<!\p{L})(?:(?:an?|the|this|that|every|each|no|any|some|one|two|three|four|five|due|tre|quattro|dos|tres|cuatro|deux|trois|quatre|zwei|drei|vier|twee|drie|dwa|trzy|dois|três) (?:(?!(?:from|to|by|for|with|via|and|or|but|like|than|if|that|when|is|was|are|were|isnt|wasnt|has|had|will|can|ask|tell|thanks|says|said|dona|doutora|dra|tia|avó|vovó|minha|nossa|senhora|vizinha|prima|amiga|professora) )\p{Ll}+ )?|(?:een|het|ein|einen|eine|un|une|uma?) )$/u,
);
/** `a jussara`, in Portuguese: a first name behind an article, of which the model is sure. */
function isPortuguese(
  text: string,
  { start, end, score }: NameSpan,
  before: string,
  lists: Gazetteer,
): boolean {
  if (!/(?<!\p{L})a $/u.test(before)) return false;
  if (isBrazilianForm(text.slice(start, end))) return true;
  const flags = lists.find(wordKey(text, start, end));
  if ((flags & LIST_FIRST_NAME) === 0 || (flags & LIST_COMMON) !== 0) return false;
  return isDeedBehind(text, end) || (score >= SURE && (flags & LIST_LAST_NAME) === 0);
}

/** Whether a span that the model gives is no name of a person or place. */
export function isNoName(text: string, span: NameSpan, lists: Gazetteer): boolean {
  const { type, start, end } = span;
  const found = text.slice(start, end);
  if (type === 'NRP') return isOfWork(text, span) || isOfGoods(text, span) || isFood(text, start, end);
  if (
    isDefinedAsThing(text, span) ||
    isOfProgram(text, span, found) ||
    isTermOrSaying(text, start, end, found)
  )
    return true;
  const hasBlank = found.includes(' ');
  if (
    (hasBlank && 'HTCS'.includes(found.charAt(0)) && STORM.test(found)) ||
    (mayBeListed(text, start) && TOOLS.has(found)) ||
    isInPath(text, start, end) ||
    isNamedFirm(text, span, found)
  )
    return true;
  const before = text.slice(Math.max(0, start - 20), start);
  if (isTopic(text, span, found, lists)) return true;
  const first = firstWords.at(text, start);
  if ((first & HAS_WORLD) !== 0 && WORLD.test(found) && HELLO.test(before)) return true;
  const behind = listsBehind(text, end);
  if ((behind & HAS_FINDING) !== 0 && FINDING.test(text.slice(end, end + 16))) return true;
  if (
    (behind & HAS_CALLED_SO) !== 0 &&
    AN_ARTICLE.test(before) &&
    IS_CALLED_SO.test(text.slice(end, end + 16))
  )
    return true;
  if (type === 'LOCATION') {
    if (hasBlank && THE_THING.test(found) && !hasPlace(text, start + 4, end, lists)) return true;
    const after = text.slice(end, end + 20);
    if (((behind & HAS_TEAM) !== 0 || isDigitUnit(text.charCodeAt(end + 1))) && TEAM.test(after)) return true;
    if ((listsBefore(text, start) & HAS_BEFORE_TEAM) !== 0 && BEFORE_TEAM.test(before)) return true;
    return (
      (hasBlank && ORGANIZATION.test(found)) ||
      ((behind & HAS_CARRIER) !== 0 && CARRIER.test(after)) ||
      ((behind & HAS_INSTITUTION) !== 0 && INSTITUTION.test(after)) ||
      isOfFirmOrGoods(text, span, lists)
    );
  }
  if (type !== 'PERSON') return false;
  if (MONTH_NAMES.has(found) && isPairOfMonths(text, start, end)) return true;
  if (isCry(text, end, span.score, found, lists)) return true;
  if (isCodeName(text, start, end, found)) return true;
  if ((first & (HAS_NO_ONE | HAS_PRONOUN)) !== 0 && (NO_ONE.test(found) || PRONOUN.test(found))) return true;
  if ((first & HAS_ASKS) !== 0 && ASKS.test(found)) return true;
  if (
    isSmallAt(text, start) &&
    isOfCalendar(found) &&
    (IN_MONTH.test(before) || !isFirstName(text, start, end, lists))
  )
    return true;
  if (isLaw(text, start, before, found) || isRoomOfHouse(found)) return true;
  if (isPartOfAccount(text, start, end)) return true;
  if (hasBlank ? hasSmallWord(found) && HAS_WEEKDAY.test(found) : isRoom(text, start, found)) return true;
  if (before.endsWith('import ') && IMPORTED.test(text.slice(end, end + 7))) return true;
  if (
    isSmallAt(text, start) &&
    SMALL_WORD.test(found) &&
    ARTICLE.test(before) &&
    !(before.endsWith('that ') && isFirstName(text, start, end, lists)) &&
    !isPortuguese(text, span, before, lists)
  )
    return true;
  if (isNotSomebody(text, span, found, lists) || isBrand(text, span, found)) return true;
  if (
    ((hasBlank || found.includes('\t')) && IN_COLUMNS.test(found)) ||
    ((first & HAS_YOURS) !== 0 && YOURS.test(found)) ||
    (found.endsWith('e') && IN_DUTCH.test(found) && /^ \p{Ll}/u.test(text.slice(end, end + 2)))
  )
    return true;
  if (((first & HAS_TITLE_ALONE) !== 0 && TITLE_ALONE.test(found)) || isFirm(text, span, found)) return true;
  if (isColour(text, start, found) || isProduct(text, start, end, found)) return true;
  if (isVerb(found, before, text.slice(end, end + 8)) || isThing(text, start, end, found)) return true;
  if (isRise(found, before, text.slice(end, end + 12))) return true;
  if (hasBlank || !ONE_WORD.test(found) || !SENTENCE_START.test(before)) return false;
  return (
    ABSTRACT.test(found) ||
    isOrderTo(text, end, found) ||
    isOrdinary(text, start, end, lists) ||
    (ITEM_START.test(before) && isOrder(text, start, end, lists))
  );
}

/** `GALE WARNING`: an ordinary word among others in capitals. */
const ONE_IN_CAPITALS = /^\p{Lu}{3,}$/u;
const CAPITALS_BEHIND = /^ \p{Lu}{2,}/u;

function isCry(text: string, end: number, score: number, found: string, lists: Gazetteer): boolean {
  if (score >= SURE || !isCapitalAt(found, 1) || !ONE_IN_CAPITALS.test(found)) return false;
  const flags = lists.find(wordKey(found, 0, found.length));
  const isName = (flags & (LIST_FREQUENT_FIRST_NAME | LIST_FIRST_NAME)) !== 0 && (flags & LIST_COMMON) === 0;
  return !isName && CAPITALS_BEHIND.test(text.slice(end, end + 4));
}

/** `april` may be somebody. */
function isFirstName(text: string, start: number, end: number, lists: Gazetteer): boolean {
  return (lists.find(wordKey(text, start, end)) & LIST_FIRST_NAME) !== 0;
}

/** Where an item of a list begins. */
const ITEM_START = /(?:^|\n)\s*(?:[-*•+]|\d{1,2}[.)])\s{1,3}$/;

/** `Bump debhelper`: a word of no list of names begins an item, and a word in small letters goes on. */
function isOrder(text: string, start: number, end: number, lists: Gazetteer): boolean {
  const after = text.slice(end, end + 12);
  if (!/^ \p{Ll}/u.test(after) || OF_PEOPLE.test(after)) return false;
  return (
    (lists.find(wordKey(text, start, end)) &
      (LIST_FREQUENT_FIRST_NAME | LIST_FIRST_NAME | LIST_LAST_NAME)) ===
    0
  );
}

/** Whether a word of [start, end) is a country, a part of one or a large city. */
function hasPlace(text: string, start: number, end: number, lists: Gazetteer): boolean {
  for (const { index, 0: word } of matchesOf(text.slice(start, end), /[\p{L}\p{M}]+/gu)) {
    const at = start + index;
    if ((lists.find(wordKey(text, at, at + word.length)) & (LIST_REGION | LIST_LARGE_CITY)) !== 0)
      return true;
  }
  return false;
}

function isOrdinary(text: string, start: number, end: number, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(text, start, end));
  return (flags & LIST_COMMON) !== 0 && (flags & LIST_FREQUENT_FIRST_NAME) === 0;
}
