/**
 * Names in small letters, as people write in chats: first names that hardly any word is, where a word beside them says
 * that they are people, and countries, states and large cities that are called like nothing else.
 */

import { CLASS_LETTER, charClass, isLetterUnit } from '../../model/characters.js';
import {
  type Gazetteer,
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_PLACE,
  LIST_PLACE_HEAD,
  LIST_REGION,
  LIST_SMALL_TOWN,
  wordKey,
} from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { inSmall } from '../../patterns/in-small.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { MARK_LINE } from '../marks.js';
import { withNames } from '../with-names.js';
import { isCapitalAt } from '../words-beside.js';
import { lowerSigns, toldInSmall } from './lower-contexts.js';
import { toldByDeeds, wordPeople } from './lower-deeds.js';
import { fullNamesInSmall } from './lower-full-names.js';
import { townsInSmall } from './lower-towns.js';
import { trimmedInSmall } from './lower-trims.js';

const TOLD = 0.6;
const SHORTEST = 3;
/** Who begins with a small letter writes names with one, also behind the labels of two speakers. */
const IN_SMALL_LETTERS = lean(
  /^(?:[^\p{L}]*\p{Ll}|\p{Lu}\p{Ll}{1,14}(?: \p{L}{1,14})?: ?\p{Ll}[^\n]*\n\p{Lu}\p{Ll}{1,14}(?: \p{L}{1,14})?: ?\p{Ll})/u,
);
const WORD = lean(/(?<![\p{L}\p{M}\p{N}_@#./'’-])\p{Ll}[\p{Ll}\p{M}]{2,}(?![\p{L}\p{M}\p{N}_@/-]|\.\p{L})/uy);
const PERSON_FOLLOWS = lean(
  /(?:^|[^\p{L}])(?:tell|told|ask|asked|call|called|text|texted|email|emailed|ping|pinged|remind|message|messaged|invite|invited|meet|met|thank|with|hi|hey|hello|hi there|thanks|dear|from|by|and|or|can|could|will|did|does|has|is|my name is|name's|i'm|im|its|it's|this is|am|says|said|love|miss|married|dating|send|sent|give|gave|show|showed|lend|lent|owe|bring|boss|wife|husband|son|daughter|brother|sister|mom|dad|friend|colleague|coworker|roommate|neighbou?r|teacher|doctor),? $/u,
);
/** Words that only names follow, in several languages: a name of any list is enough behind them. */
const CALLED = lean(
  /(?:^|[^\p{L}])(?:(?:hey|hi|hello|yo|hiya),? (?:its|it['’]s|im|i['’]m|this is)|hat|kommt|weiß|kennt|vertritt|übernimmt|heeft|gg|gz|grats|congrats|props to|shoutout to|shout out to|kudos to|hbd|happy birthday|ty|thx|tysm|ask 4|tell|remind|ask|ping|text|invite|message|email|dear|dile a|(?:avisar|decirle|preguntarle?|llamar|escribir(?:le)?|pedirle|enviarle|mandarle) a|hablar con|habla con|(?:demander|dire|écrire|parler) à|prévenir|appeler|(?:chiedere|dire|scrivere|telefonare) a|chiamare|avvisare|(?:avisar|perguntar|pedir|ligar|falar) (?:ao?|com|para)(?: [oa])?|weet (?:je|jij|iemand) of|zeg tegen|vraag aan|soy|c['’]est|ici|hier ist|hier is|sou|aqui é|tu|dime si|dice que|llama a|pregúntale a|pregunta a|avisa a|escribe a|me llamo|hola|señora?|demande à|dis à|appelle|écris à|salut|coucou|je m['’]appelle|mon (?:frère|père|ami|mari|fils|chef)|ma (?:sœur|soeur|mère|femme|fille|copine)|frau|herrn?|hallo|ich heiße|ich bin(?: die| der)?|(?:sag|frag|ruf|schreib)e?(?: mal)?|mein(?:e|en|em|er)? (?:bruder|schwester|mann|frau|sohn|tochter|chef|chefin|freund|freundin|kollege|kollegin|mutter|vater)|ciao|mi chiamo|chiedi a|di['’] a|dillo a|scrivi a|(?:mio|mia) (?:fratello|sorella|marito|moglie|figlio|figlia|amico|amica|capo)|mi (?:hermano|hermana|marido|mujer|hijo|hija|amigo|amiga|jefe|jefa|novio|novia)|meu nome é|me chamo|chamo-me|oi|olá|fala com|meu (?:irmão|marido|filho|amigo|chefe)|minha (?:irmã|mulher|esposa|filha|amiga)|mijn naam is|ik ben|ik heet|hoi|mevrouw|meneer|dhr\.?|mevr\.?|vraag|mijn (?:broer|zus|man|vrouw|zoon|dochter|vriend|vriendin|baas)|mam na imię|nazywam się|jestem|cześć|pani?|mój (?:brat|mąż|syn|szef)|moja (?:siostra|żona|córka)|mr\.?|mrs\.?|ms\.?|aunt|uncle) $/u,
);
const TITLES =
  'señora?|frau|herrn?|mevrouw|meneer|dhr|mevr|pani|mr|mrs|mme|madame|monsieur|signora?|senhora?|dona|técnic[oa]|eletricista|encanador|doutora?|geometra|avvocato|dottoressa|dottore|docteur|doktor';
const HAS_TITLE = lowerSigns.add(TITLES);
/** Relatives, and whom one calls so: a list must have the first name. */
const KIN =
  't[ií][oa]|abuel[oa]|abuelit[oa]|av[óô]|vov[óô]|oma|opa|oom|tante|onkel|oncle|tonton|tatie|tata|mamie|papy|pépé|mémé|nonn[ao]|zi[ao]|babcia|babci|babcię|dziadek|dziadka|ciocia|cioci|ciocię|wujek|wujka|grandma|grandpa|granny|nana|auntie|aunty';
const HAS_KIN = lowerSigns.add(KIN);
const OF_KIN = lean(
  `(?<![\\p{L}\\p{M}])(?:${KIN}) (?<name>\\p{Ll}[\\p{Ll}\\p{M}]{2,})(?![\\p{L}\\p{M}\\p{N}_@/-])`,
  'gu',
);
/** Titles, with a surname of any list or of none. */
const TITLED = lean(
  `(?<![\\p{L}\\p{M}])(?:${TITLES})\\.? (?<name>\\p{Ll}[\\p{Ll}\\p{M}]{3,})(?![\\p{L}\\p{M}\\p{N}_@/-])`,
  'gu',
);
/** Words that a name can follow where another one in small letters stands in the same text. */
const BESIDE = lean(
  /(?:^|[^\p{L}])(?:that|if|and|ma|anche|que|si|con|y|e|a|o|para|avec|et|mit|und|oder|von|für|dass|ob|che|met|en|dat|voor|com|z|i|ze|od|dla|comme|como|come|wie|als|jak|chez|pour|pero|mas|però|mais|aber|maar|ale|quando|cuando|wenn|quand|porque|weil|parce que|perché|omdat|bo|sin|sans|ohne|senza|sem|zonder|bez|but|n|vs|with|likes|loves|misses|because|cuz|coz|cause|whos|who's|hows|how's|wheres|where's|gg|dumped|dated|dating|kissed|ghosted|blocked|married|divorced|hired|fired) $/u,
);
/** Names that are words, too. */
const WORDS = new Set(
  (
    'mine yours hers theirs ours none else anyone someone nobody everyone them may hope faith joy grace rose mark bill will young love lee long dean chance page art chase drew sue pat rob skip ray dawn summer autumn april june august ' +
    'crystal amber ruby pearl iris olive ivy holly heather daisy violet lily ginger brandy sherry candy angel star dusty rusty sandy rocky buddy jack harry frank ' +
    'miles norm cliff glen heath clay rich gene guy major king prince duke sterling precious charity patience prudence mercy destiny melody harmony cherry robin penny ' +
    'bunny fawn jade coral opal sage rosemary basil max josh nick dot peg hank don ken van sky ocean river jean jersey paris london florence vienna sofia china india ' +
    'asia kenya africa austin houston dallas jackson madison lincoln virginia georgia carolina dakota montana sierra savannah chelsea brooklyn jordan israel chad ' +
    'matt mat tad tab rod bud bob dick peter john johnny son sonny junior les hay ada jan mai mar sol con sal cam sam ali see man mercedes porsche lane reed ward wade ' +
    'grant lance stone brook forest hunter mason tanner taylor porter cooper carter tyler parker fisher baker archer gardener miller smith cook bishop pope ' +
    'pilar rosa luz paz sol dolores consuelo rocío alba estrella reyes ángel cruz marco clara claro blanca gloria victoria esperanza soledad socorro remedios amparo camino nieves ' +
    'pierre rose claire blanche martin parfait aimé désiré olive prudent constant fleur luce reine clémence aurore victoire vaillant france marine océane lorraine ' +
    'kai klaus ernst wolf rosa sommer winter herr frau stern engel linde helle reiner weiß gerade gut bitte ' +
    'chiara franco bianca gioia marina luna stella viola bruno fortunato leone mara grazia vera pace sereno serena felice fiore primo secondo massimo ' +
    'maja luty marca wiosna nadzieja wiara miłość pan pani dom dominó vitória graça glória'
  ).split(' '),
);
/** `chidinma and her sister`. */
const AND_RELATIVE = lean(
  /^ (?:and|&|n) (?:his|her|their) (?:sister|brother|mother|father|mom|mum|dad|wife|husband|partner|boyfriend|girlfriend|friends?|cousin|kids?|son|daughter|family|bf|gf|team)(?!\p{L})/u,
);
/** Below it the model is not sure. */
const WEAK = 0.5;
const SURE = 0.9;
const BEFORE_UNITS = 16;
const CALLED_UNITS = 24;
const PLACE_FOLLOWS = lean(
  /(?:^|[^\p{L}])(?:in|to|from|near|around|at|through|via|visit|visiting|leaving|across|between|outside|depuis|vers|à|en|desde|hacia|hasta|aus|nach|naar|uit|em|para|pour|por|pra|w|we|ze|(?:sal(?:go|es?|imos|en|ió|í)|ven(?:go|imos)|vien(?:en?|es)|soy|eres|somos|lleg(?:a|ó|ué|amos)) de) $/iu,
);
/** Behind a name alone: what only people do. */
const PERSON_BEFORE = lean(
  /^(?:['’]s (?:birthday|wife|husband|house|car|phone|mom|dad|brother|sister|email|number|account|refund|order)|,? (?:said|says|told|asked|wants|wanted|thinks|called|texted|emailed|lives|moved|married|loves|hates|and i|will|can|could|won't|can't|didn't|doesn't|is out|is off|is ooo|is afk|is away|is back|is late|is sick|is on leave|is on holiday|is coming|is here|isnt|isn't|wasnt|wasn't|got|gets|went|came|are both|just|and [\p{Ll}]+ are))(?!\p{L})/u,
);

/** `spans` with the names in small letters of [from, to); both in order. */
export function addLowerNames(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  marks: number,
): readonly NameSpan[] {
  // Most texts begin with a capital, and are one line.
  if (isCapitalAt(text, from) && (marks & MARK_LINE) === 0) return spans;
  const piece = text.slice(from, to);
  if (!IN_SMALL_LETTERS.test(piece)) return spans;
  const added: NameSpan[] = [];
  const isInSmallLetters = (one: NameSpan) =>
    one.type === 'PERSON' && /^[\p{Ll} ]+$/u.test(text.slice(one.start, one.end));
  // The same word, of which the model is not sure, is no hindrance.
  const isWeak = (one: NameSpan, start: number, end: number) =>
    one.score < WEAK && one.start <= start && one.end === end;
  const isTaken = (start: number, end: number) =>
    [...spans, ...added].some((one) => one.start < end && one.end > start && !isWeak(one, start, end));
  for (const { start, flags, ...found } of listedWords(text, from, to, lists)) {
    let { end } = found;
    const isTown = isHome(text, start, flags);
    if (isTown || isPlace(flags)) {
      if (!isTown && !PLACE_FOLLOWS.test(text.slice(Math.max(0, start - BEFORE_UNITS), start))) continue;
      if (!isTaken(start, end)) added.push({ type: 'LOCATION', start, end, score: TOLD });
      continue;
    }
    const word = text.slice(start, end);
    if (WORDS.has(word) || isTaken(start, end)) continue;
    const before = inSmall(text.slice(Math.max(0, start - CALLED_UNITS), start));
    const isLong = word.length > 3 || PERSON_BEFORE.test(text.slice(end, end + 24));
    const isBeside = BESIDE.test(before) && isLong && [...spans, ...added].some(isInSmallLetters);
    const hasRelative = AND_RELATIVE.test(text.slice(end, end + CALLED_UNITS));
    if (!isTold(text, start, end, flags) && !CALLED.test(before) && !isBeside && !hasRelative) continue;
    const surname = /^ (\p{Ll}[\p{Ll}\p{M}]{3,})(?![\p{L}\p{M}])/u.exec(
      text.slice(end, Math.min(to, end + 24)),
    )?.[1];
    if (surname !== undefined && isSurname(text, end + 1, end + 1 + surname.length, lists))
      end += 1 + surname.length;
    if (!isTaken(start, end)) added.push({ type: 'PERSON', start, end, score: TOLD });
  }
  const signs = lowerSigns.in(text, from, to);
  const isSurelyTaken = (start: number, end: number) =>
    [...spans, ...added].some((one) => one.start < end && one.end > start && one.score >= WEAK);
  for (const { start, end } of toldInSmall(text, from, to, lists, signs))
    if (!isTaken(start, end)) added.push({ type: 'PERSON', start, end, score: TOLD });
  for (const { start, end } of toldByDeeds(text, from, to, lists, signs))
    if (!WORDS.has(text.slice(start, end)) && !isSurelyTaken(start, end))
      added.push({ type: 'PERSON', start, end, score: TOLD });
  for (const { start, end } of wordPeople(text, from, to, signs))
    if (!isTaken(start, end)) added.push({ type: 'PERSON', start, end, score: TOLD });
  // The model is not sure of somebody there.
  const isNobody = (one: NameSpan) => one.type === 'PERSON' && one.score < SURE;
  for (const { start, end } of townsInSmall(text, from, to, lists, signs))
    if ([...spans, ...added].every((one) => one.start >= end || one.end <= start || isNobody(one)))
      added.push({ type: 'LOCATION', start, end, score: TOLD });
  for (const { start, end } of fullNamesInSmall(text, from, to, lists, signs)) {
    const isLess = (one: NameSpan) =>
      one.start >= end || one.end <= start || (one.type === 'PERSON' && one.end < end);
    if (spans.every(isLess)) added.push({ type: 'PERSON', start, end, score: TOLD });
  }
  const addBehind = (pattern: RegExp, mayBe: (start: number, end: number) => boolean) => {
    for (const { index, 0: found, groups } of matchesOf(piece, pattern)) {
      const end = from + index + found.length;
      const start = end - groups!.name!.length;
      if (mayBe(start, end) && !isTaken(start, end)) added.push({ type: 'PERSON', start, end, score: TOLD });
    }
  };
  if ((signs & HAS_TITLE) !== 0) addBehind(TITLED, (start, end) => mayBeSurname(text, start, end, lists));
  if ((signs & HAS_KIN) !== 0)
    addBehind(
      OF_KIN,
      (start, end) =>
        isFirstName(lists.find(wordKey(text, start, end))) && !WORDS.has(text.slice(start, end)),
    );
  return withNames(trimmedInSmall(text, spans, lists), added);
}

function mayBeSurname(text: string, start: number, end: number, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(text, start, end));
  return (
    (flags & ~LIST_SMALL_TOWN) === 0 ||
    ((flags & (LIST_FIRST_NAME | LIST_LAST_NAME)) !== 0 && (flags & LIST_COMMON) === 0)
  );
}

interface ListedWord {
  start: number;
  end: number;
  flags: number;
}

/** The words in small letters that are in one of the lists: these are few, and the pattern is asked for them alone. */
function listedWords(text: string, from: number, to: number, lists: Gazetteer): ListedWord[] {
  const found: ListedWord[] = [];
  const piece = text.slice(from, to);
  for (let at = from; at < to; at++) {
    const start = at;
    while (at < to && isLetterUnit(text.charCodeAt(at))) at++;
    if (at - start < SHORTEST || charClass[text.charCodeAt(start)] !== CLASS_LETTER) continue;
    const flags = lists.find(wordKey(text, start, at));
    if (!isPlace(flags) && !isFirstName(flags) && !isHome(text, start, flags)) continue;
    WORD.lastIndex = start - from;
    if (WORD.test(piece)) found.push({ start, end: at, flags });
  }
  return found;
}

/** `vivimos en cuenca`: a town that is a word, too, where somebody lives. */
const LIVES_IN = lean(
  /(?<!\p{L})(?:live[sd]? in|living in|moved to|viv(?:o|es?|imos|en) en|wohn(?:e|t|en) in|leb(?:e|t|en) in|habit(?:e|ons|ent) à|viv(?:o|e|iamo|ono) a|abit(?:o|a|iamo|ano) a|mor(?:o|a|amos|am) em|viv(?:o|e|emos|em) em|woon(?:t)? in|wonen in|mieszka(?:m|my|ją)? we?) $/iu,
);

function isHome(text: string, start: number, flags: number): boolean {
  return (
    (flags & (LIST_CITY | LIST_LARGE_CITY)) !== 0 &&
    LIVES_IN.test(text.slice(Math.max(0, start - BEFORE_UNITS), start))
  );
}

function isFirstName(flags: number): boolean {
  return (flags & LIST_FIRST_NAME) !== 0 && (flags & LIST_COMMON) === 0;
}

const PLACES = LIST_CITY | LIST_LARGE_CITY | LIST_SMALL_TOWN | LIST_REGION | LIST_PLACE | LIST_PLACE_HEAD;

/** In the lists of countries, states and large cities, and in none of other things; many surnames are countries. */
function isPlace(flags: number): boolean {
  const others = flags & ~PLACES;
  if ((flags & LIST_REGION) !== 0) return (others & ~LIST_LAST_NAME) === 0;
  return (flags & LIST_LARGE_CITY) !== 0 && others === 0;
}

function isTold(text: string, start: number, end: number, flags: number): boolean {
  if ((flags & LIST_FREQUENT_FIRST_NAME) === 0) return false;
  return (
    PERSON_FOLLOWS.test(inSmall(text.slice(Math.max(0, start - BEFORE_UNITS), start))) ||
    PERSON_BEFORE.test(text.slice(end, end + 24))
  );
}

function isSurname(text: string, start: number, end: number, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(text, start, end));
  return (flags & LIST_LAST_NAME) !== 0 && (flags & LIST_COMMON) === 0;
}
