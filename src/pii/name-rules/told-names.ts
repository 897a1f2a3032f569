/**
 * Names that nothing tells but what stands around them: a title, a word for a relative, what only people do, the
 * other names of a list. They are looked for in prose, where one of these words stands.
 */

import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PRODUCT,
  LIST_REGION,
  wordKey,
} from '../model/gazetteer.js';
import type { NameSpan } from '../model/names.js';
import { WordSigns } from '../word-signs.js';
import { nameSigns } from './name-signs.js';

const TOLD = 0.65;
/** The threshold that most have. */
const SURE = 0.5;
const NAME = "\\p{Lu}[\\p{L}\\p{M}]+(?:['’-][\\p{L}\\p{M}]{2,})*";
const TITLES =
  'Mr|Mrs|Ms|Miss|Mister|Dr|Doctor|Prof|Professor|Aunt|Auntie|Uncle|Grandma|Grandpa|Sheikh|Imam|Rabbi|Prophet|Capt|Captain|Sgt|Lt|Col|Sen|Senator|Gov|Rep|Congressman|Congresswoman|PM|Herr|Frau|Fräulein|Monsieur|Madame|Mme|Mlle|Señor|Señora|Señorita|Doña|Signor|Signora|Dott|Sra|Senhor|Senhora|Meneer|Mevrouw|Heer|Dhr|Mevr|Dona|Doutora?|Sr|Pan|Pani|Panie|Pana|Panu|Panią';
const RELATIVES =
  'wife|husband|son|daughter|brother|sister|cousin|uncle|aunt|nephew|niece|mother|father|mom|mum|dad|girlfriend|boyfriend|fiancée?|roommate|neighbou?r|colleague|coworker|boss|teammate|friend';
const HUMAN =
  'shouted|whispered|smiled|laughed|nodded|sighed|shrugged|grinned|yelled|giggled|frowned|winked|blushed|muttered|mumbled|stammered|chuckled';

/** Surnames of most people in Vietnam, which stand first. */
const VIETNAMESE =
  'Nguyễn|Trần|Lê|Phạm|Huỳnh|Hoàng|Phan|Vũ|Võ|Đặng|Bùi|Đỗ|Ngô|Dương|Lý|Đinh|Đoàn|Trịnh|Trương|Lương|Lâm|Tạ|Đào';

/** Words that call somebody by one name. */
const CALLS =
  '[Aa]sk|[Tt]ell|[Rr]emind|[Pp]ing|[Dd]ear|[Hh]ey|[Hh]i|[Ii]nvite|[Ff]rag|[Ss]ag|[Vv]raag|[Pp]regunta a|[Dd]ile a';
/** What stands before somebody's name below a letter. */
const SIGN_OFFS =
  'regards|[Ss]incerely|[Cc]heers|[Tt]hanks|greetings|wishes|Grüßen|Gruß|Grüße|[Cc]ordialement|[Ss]aludos|[Ss]aluti|groet|groeten|poważaniem|[Pp]ozdrawiam|[Aa]tenciosamente|[Cc]umprimentos|[Aa]braços|[Aa]braço';
const MY =
  '[Mm]eu|[Mm]inha|[Mm]ijn|[Mm]oja|[Mm]ój|[Mm]ojej|[Mm]ojego|[Mm]io|[Mm]ia|[Mm]eine|[Mm]einer|[Mm]einem|[Mm]ein|[Mm]on|[Mm]a|[Mm]i';
const RELATIVES_TOO =
  'irmão|irmã|filho|filha|marido|mulher|pai|mãe|amigo|amiga|chefe|broer|zus|zoon|dochter|man|vrouw|vader|moeder|vriend|vriendin|baas|siostra|brat|syn|córka|mąż|żona|szef|ojciec|matka|fratello|sorella|figlio|figlia|marito|moglie|amico|amica|capo|Bruder|Schwester|Sohn|Tochter|Mann|Frau|Mutter|Vater|Freund|Freundin|Chef|Chefin|Kollege|Kollegin|frère|sœur|soeur|fils|fille|mari|femme|ami|amie|mère|père|hermano|hermana|hijo|hija|mujer|novio|novia|jefe|jefa|primo|prima';
const GAVE = 'gave|given|showed|handed|lent';
const MAY = 'please|can|could|would|will';

const HAS_VIETNAMESE = nameSigns.add(VIETNAMESE);
const HAS_TITLE = nameSigns.add(TITLES);
const HAS_RELATIVE = nameSigns.add(RELATIVES);
const HAS_HUMAN = nameSigns.add(HUMAN);
const HAS_GAVE = nameSigns.add(GAVE);
const HAS_MAY = nameSigns.add(MAY);
const HAS_WORD = HAS_VIETNAMESE | HAS_TITLE | HAS_RELATIVE | HAS_HUMAN | HAS_GAVE | HAS_MAY;
/** An address in angle brackets may follow. */
const HAS_ADDRESS = 1 << 16;
/** Somebody is called, or signs. */
const HAS_CALL = 1 << 17;
/** A link, as Markdown writes them. */
const HAS_LINK = 1 << 18;

interface Rule {
  /** What a text has where the pattern is in it. */
  sign: number;
  pattern: RegExp;
  /** A place that the model found there is a person after all. */
  overPlace?: true;
  /** And pieces of the name are parts of it. */
  overPieces?: true;
  /** The pattern has the surnames: no list is asked. */
  hasSurname?: true;
  /** The first word of the name is a first name. */
  hasFirstName?: true;
  /** No word of the name may be in a list of other things. */
  isUnknown?: true;
}

const START = '(?<![\\p{L}\\p{M}\\p{N}]|\\d )';
const RULES: readonly Rule[] = [
  {
    sign: HAS_VIETNAMESE,
    pattern: new RegExp(`${START}(?<name>(?:${VIETNAMESE})(?: \\p{Lu}\\p{Ll}+){1,3})(?!\\p{L})`, 'gu'),
    overPieces: true,
    hasSurname: true,
  },
  {
    sign: HAS_ADDRESS,
    pattern: new RegExp(`["“](?<name>${NAME}, ${NAME}(?: \\p{Lu}\\.?)?)["”] ?<`, 'gu'),
    overPieces: true,
  },
  {
    sign: HAS_LINK,
    pattern: new RegExp(`\\[(?<name>${NAME} ${NAME})\\]\\(https?:`, 'gu'),
    overPlace: true,
    overPieces: true,
    hasFirstName: true,
  },
  {
    sign: HAS_TITLE,
    pattern: new RegExp(
      `${START}(?:(?:${TITLES})\\.? )+(?!(?:${TITLES})[. ])(?<name>${NAME}(?: ${NAME}){0,2})`,
      'gu',
    ),
    overPlace: true,
  },
  {
    sign: HAS_RELATIVE,
    pattern: new RegExp(
      `${START}(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Yy]our|[Tt]heir) (?:${RELATIVES}),? (?<name>${NAME})`,
      'gu',
    ),
  },
  {
    sign: HAS_HUMAN,
    pattern: new RegExp(`${START}(?<name>${NAME}(?: ${NAME})?) (?:${HUMAN})(?!\\p{L})`, 'gu'),
    overPlace: true,
  },
  {
    sign: HAS_GAVE,
    pattern: new RegExp(`${START}(?:${GAVE}) (?<name>${NAME}) (?:his|her)(?!\\p{L})`, 'gu'),
    overPlace: true,
  },
  {
    sign: HAS_GAVE,
    pattern: new RegExp(`${START}(?<name>${NAME}) (?:had|has) given ${NAME} (?:his|her)(?!\\p{L})`, 'gu'),
    overPlace: true,
  },
  {
    sign: HAS_MAY,
    pattern: new RegExp(`(?:^|[\\n.!?]["'”]?\\s)(?<name>${NAME}), (?:${MAY}) (?:I|you|we)(?!\\p{L})`, 'gu'),
    overPlace: true,
  },
  {
    sign: HAS_CALL,
    pattern: new RegExp(`${START}(?:${MY}) (?:${RELATIVES_TOO}) (?<name>${NAME})(?!\\p{L})`, 'gu'),
  },
  {
    sign: HAS_CALL,
    pattern: new RegExp(
      `${START}(?:${CALLS}) (?<name>${NAME})(?= (?:and|or|oder|und|y|o|en|of) ${NAME}|[,.!?]| \\p{Ll}|$)`,
      'gu',
    ),
    isUnknown: true,
  },
  {
    sign: HAS_CALL,
    pattern: new RegExp(
      `${START}(?:${CALLS}) ${NAME} (?:and|or|oder|und|y|o|en|of) (?<name>${NAME})(?! ?[\\p{Lu}])(?!\\p{L})`,
      'gu',
    ),
    isUnknown: true,
  },
  {
    sign: HAS_CALL,
    pattern: new RegExp(
      `(?:${SIGN_OFFS})[,!.]?\\s{0,3}\\n\\s{0,3}(?<name>${NAME}(?: (?:\\p{Lu}\\.|${NAME})){0,2})(?=\\s*(?:\\n|$))`,
      'gu',
    ),
    overPlace: true,
    overPieces: true,
    isUnknown: true,
  },
  {
    sign: HAS_RELATIVE,
    pattern: new RegExp(`(?:^|\\n)(?<name>${NAME}) (?:is|was) my (?:${RELATIVES})(?!\\p{L})`, 'gu'),
  },
];
const CALL_WORDS = new WordSigns();
CALL_WORDS.add(`${CALLS}|${MY}`);
const CALL = new RegExp(`(?:${CALLS}|(?:${MY}) (?:${RELATIVES_TOO})) \\p{Lu}`, 'uy');
const SIGN_OFF = new RegExp(`(?<=(?:${SIGN_OFFS})[,!.]? ?)\\n`, 'u');

/** Whether somebody is called in [from, to), or signs there. */
function isCalledIn(text: string, piece: string, from: number, to: number): boolean {
  for (let at = CALL_WORDS.next(text, from, to); at < to; at = CALL_WORDS.next(text, at + 1, to)) {
    CALL.lastIndex = at;
    if (CALL.test(text)) return true;
  }
  return piece.includes('\n') && SIGN_OFF.test(piece);
}

/** One of these stands in every text that a rule finds a name in; this is quicker than the rules. */
const SIGNS = new RegExp(
  `\\b(?:${TITLES})\\b|\\b(?:${RELATIVES}|${HUMAN}|${GAVE})\\b|, (?:${MAY}) (?:I|you|we)\\b|["”] ?<|\\]\\(http|(?:${VIETNAMESE}) `,
);
const LIST = new RegExp(
  `${START}${NAME}(?:, ${NAME}){2,}(?:,? (?:and|&|or|und|et|y|e) ${NAME})?(?! ?\\p{Lu})`,
  'gu',
);
const LIST_SIGN = /[a-z], [A-Z][^,.\n]{1,24}, [A-Z]/;
const ITEM = new RegExp(NAME, 'gu');
/** `Surname, Given; Surname, Given` that fills a line, or the rest of one behind a colon. */
const PAIR = `(?:(?:de|da|do|van|von|der|den|di|del|la|le|el|al|St\\.|Ste\\.) ){0,2}(?:[ODL]['’])?${NAME}(?:[ -]${NAME})?, ${NAME}(?: \\p{Lu}\\.?)?`;
const PAIRS = new RegExp(`(?<=^|[\\n:] ?)${PAIR}(?:(?:;| /) ${PAIR})+(?=[;.]? ?(?:\\n|$))`, 'gu');
const PAIRS_SIGN = /[a-z], [A-Z][^,;/\n]{1,40}(?:;| \/) [A-Za-z]/;
const BETWEEN_SIGNS = /[^;/\s](?:[^;/]*[^;/\s])?/gu;
const NO_NAME = LIST_COMMON | LIST_CALENDAR | LIST_NRP | LIST_ORGANIZATION | LIST_LARGE_CITY;

/** `spans` with the names of [from, to) that what stands around tells; both in order. `words`: what `nameSigns` has there. */
export function addToldNames(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  words: number,
): readonly NameSpan[] {
  const piece = text.slice(from, to);
  const told: NameSpan[] = [];
  const signs =
    (words & HAS_WORD) |
    (piece.includes('<') ? HAS_ADDRESS : 0) |
    (piece.includes('](http') ? HAS_LINK : 0) |
    (isCalledIn(text, piece, from, to) ? HAS_CALL : 0);
  if ((signs & HAS_CALL) !== 0 || (signs !== 0 && SIGNS.test(piece))) {
    for (const rule of RULES) {
      if ((rule.sign & signs) !== 0) addByRule(rule, text, piece, from, spans, lists, told);
    }
  }
  if (PAIRS_SIGN.test(piece)) addPairs(piece, from, spans, told);
  if (LIST_SIGN.test(piece)) addListed(text, piece, from, spans, lists, told);
  if (told.length === 0) return spans;
  const kept = spans.filter((span) => !told.some((one) => one.start < span.end && one.end > span.start));
  const fresh = told.filter(
    (one, at) => !told.slice(0, at).some((other) => other.start < one.end && other.end > one.start),
  );
  return [...kept, ...fresh].sort((a, b) => a.start - b.start);
}

function addByRule(
  { pattern, overPlace, overPieces, hasSurname, hasFirstName, isUnknown }: Rule,
  text: string,
  piece: string,
  from: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  told: NameSpan[],
): void {
  for (const match of piece.matchAll(pattern)) {
    const name = match.groups!.name!;
    const start = from + match.index + match[0].lastIndexOf(name);
    const end = start + name.length;
    const there = spans.filter((span) => span.start < end && span.end > start);
    const isPiece = (span: NameSpan) => span.type !== 'NRP' && span.start >= start && span.end <= end;
    const isFree = there.every(
      (span) =>
        isWeak(span, start, end) ||
        (overPlace && isSame(text, span, start, end)) ||
        (overPieces && isPiece(span)),
    );
    const mayBe = isUnknown ? isNoThing(name, lists) : hasSurname || mayBeName(text, start, end, lists);
    if (hasFirstName && !isFirstName(name, lists)) continue;
    if (isFree && mayBe) told.push({ type: 'PERSON', start, end, score: TOLD });
  }
}

function isFirstName(name: string, lists: Gazetteer): boolean {
  const [first] = name.split(' ');
  return (lists.find(wordKey(first!, 0, first!.length)) & (LIST_FIRST_NAME | LIST_FREQUENT_FIRST_NAME)) !== 0;
}

/** A person, or a part of one, of which the model is not sure. */
function isWeak(span: NameSpan, start: number, end: number): boolean {
  return span.type === 'PERSON' && span.score < TOLD && span.start >= start && span.end <= end;
}

/** A place that is this name, or this name with its title. */
function isSame(text: string, span: NameSpan, start: number, end: number): boolean {
  return (
    span.type === 'LOCATION' && span.end === end && /^(?:\p{L}+\.? )?$/u.test(text.slice(span.start, start))
  );
}

/** `Gaetane, Hannah, Anthony and Derek`: most are people, so all are. */
function addListed(
  text: string,
  piece: string,
  from: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  told: NameSpan[],
): void {
  for (const match of piece.matchAll(LIST)) {
    const items = [...match[0].matchAll(ITEM)].map(({ index, 0: word }) => {
      const start = from + match.index + index;
      return { start, end: start + word.length };
    });
    const isPerson = ({ start, end }: { start: number; end: number }) =>
      spans.some(
        (span) => span.type === 'PERSON' && span.score >= SURE && span.start === start && span.end === end,
      );
    const others = items.filter((item) => !isPerson(item));
    if (2 * others.length >= items.length) continue;
    for (const { start, end } of others) {
      const there = spans.filter((span) => span.start < end && span.end > start);
      const isFree = there.every(
        (span) =>
          isWeak(span, start, end) || (span.type === 'LOCATION' && span.start === start && span.end === end),
      );
      if (isFree && mayBeName(text, start, end, lists))
        told.push({ type: 'PERSON', start, end, score: TOLD });
    }
  }
}

/** `Oyelaran, Folake; Keller, Jonas`, also with strokes between: where most have somebody in them, each is one. Towns have a place in both halves. */
function addPairs(piece: string, from: number, spans: readonly NameSpan[], told: NameSpan[]): void {
  for (const match of piece.matchAll(PAIRS)) {
    const pairs = [...match[0].matchAll(BETWEEN_SIGNS)].map(({ index, 0: pair }) => {
      const start = from + match.index + index;
      return { start, end: start + pair.length };
    });
    const withPerson = pairs.filter(({ start, end }) =>
      spans.some(
        (span) => span.type === 'PERSON' && span.score >= SURE && span.start < end && span.end > start,
      ),
    );
    if (2 * withPerson.length < pairs.length) continue;
    for (const pair of pairs) told.push({ type: 'PERSON', ...pair, score: TOLD });
  }
}

const NO_VOCATIVE =
  /^(?:However|Also|Otherwise|Then|Now|Finally|First|Anyway|Thanks|Sorry|Hello|Hi|Hey|Okay|Yes|No|Well|So|Alternatively|Additionally|Furthermore|Meanwhile|Afterwards|Next|Lastly|Instead|Therefore|Please|Everyone|Guys|Team|Sir|Madam|Here|There|Still|Again|Later|Actually|Honestly|Basically|Unfortunately|Ideally)$/;

const THING = NO_NAME | LIST_PRODUCT | LIST_REGION;

/** Whether no word of `name` is in a list of other things. */
export function isNoThing(name: string, lists: Gazetteer): boolean {
  return name.split(/[ -]/).every((word) => {
    const flags = lists.find(wordKey(word, 0, word.length));
    return (flags & THING) === 0 || (flags & LIST_FREQUENT_FIRST_NAME) !== 0;
  });
}

/** A first name, or a word of no list that speaks against it. */
function mayBeName(text: string, start: number, end: number, lists: Gazetteer): boolean {
  const [first] = text.slice(start, end).split(' ');
  if (NO_VOCATIVE.test(first!)) return false;
  const flags = lists.find(wordKey(text, start, start + first!.length));
  return (
    (flags & (LIST_CALENDAR | LIST_NRP)) === 0 &&
    ((flags & LIST_FREQUENT_FIRST_NAME) !== 0 || (flags & NO_NAME) === 0)
  );
}
