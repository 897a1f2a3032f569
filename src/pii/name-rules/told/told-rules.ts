/** What tells a name: the words beside it, as a table of patterns, each with the sign without which a text has none of it. */
import { lean } from '../../patterns/lean.js';
import { MARK_LINE } from '../marks.js';
import { nameSigns } from '../name-signs.js';

export const NAME = "(?:[ODL]['’])?\\p{Lu}[\\p{L}\\p{M}]+(?:['’-][\\p{L}\\p{M}]{2,})*";
const TITLES =
  'Mr|Mrs|Ms|Miss|Mister|Dr|Doctor|Prof|Professor|Aunt|Auntie|Uncle|Grandma|Grandpa|Sheikh|Imam|Rabbi|Prophet|Capt|Captain|Sgt|Lt|Col|Sen|Senator|Gov|Rep|Congressman|Congresswoman|PM|Herr|Frau|Fräulein|Monsieur|Madame|Mme|Mlle|Señor|Señora|Señorita|Doña|Signor|Signora|Dott|Sra|Senhor|Senhora|Meneer|Mevrouw|Heer|Dhr|Mevr|Dona|Doutora?|Sr|Pan|Pani|Panie|Pana|Panu|Panią|' +
  'dott|avv|geom|sigg|Einzelprokura|Prokurist|Prokuristin|Geschäftsführer|Geschäftsführerin|geometra|ragioniere|avvocato|avvocatessa|dottore|dottoressa|notaio|ingegnere|técnic[oa]|eletricista|encanador|advogad[oa]|engenheir[oa]|abogad[oa]|ingenier[oa]|licenciad[oa]|notari[oa]|notaire|notaris|docteur|doktor|mecenas|' +
  'pani|pana|panu|panem|panią|meneer|mevrouw|dhr|mevr|frau|madame|monsieur|señora?|doña|signora?|senhora?|dona|nonn[ao]|tía|tío|tante|onkel|oncle|zi[ao]|abuel[oa]|av[óô]|vov[óô]|ti[ao]|mamie|mémé|papy|pépé|tonton|tatie|oma|opa|oom|babci[aięą]|babcią|dziad(?:ek|ka)|cioci[aięą]|wuj(?:ek|ka)';
const RELATIVES =
  'wife|husband|son|daughter|brother|sister|cousin|uncle|aunt|nephew|niece|mother|father|mom|mum|dad|girlfriend|boyfriend|fiancée?|roommate|neighbou?r|colleague|coworker|boss|teammate|friend';
const HUMAN =
  'shouted|whispered|smiled|laughed|nodded|sighed|shrugged|grinned|yelled|giggled|frowned|winked|blushed|muttered|mumbled|stammered|chuckled';

/** Surnames of most people in Vietnam, which stand first. */
const VIETNAMESE =
  'Nguyễn|Trần|Lê|Phạm|Huỳnh|Hoàng|Phan|Vũ|Võ|Đặng|Bùi|Đỗ|Ngô|Dương|Lý|Đinh|Đoàn|Trịnh|Trương|Lương|Lâm|Tạ|Đào';
/** The same as they are written without marks; some are words, too, and told by what stands in the middle of most names. */
const VIETNAMESE_PLAIN = 'Nguyen|Tran|Pham|Huynh|Hoang|Truong|Trinh|Doan|Duong|Ngo|Bui|Dinh';
const VIETNAMESE_ALSO_WORDS = 'Le|Vo|Vu|Dang|Luong';
const VIETNAMESE_MIDDLE =
  'Thi|Van|Duc|Quoc|Minh|Thanh|Huu|Ngoc|Xuan|Hoai|Quang|Tuan|Duy|Gia|Bao|Hong|Anh|Thu|Trung|Viet|Nhat';

/** Words that call somebody by one name. */
const CALLS =
  '[Aa]sk|[Tt]ell|[Rr]emind|[Pp]ing|[Dd]ear|[Hh]ey|[Hh]i|[Ii]nvite|[Ff]rag|[Ss]ag|[Vv]raag|[Pp]regunta a|[Dd]ile a';
/** Greetings at the end of a letter, with or without a comma before somebody's name. */
const GREETINGS =
  'regards|[Ss]incerely|[Cc]heers|greetings|wishes|[Gg]rüßen|[Gg]ruß|[Gg]rüße|[Gg]russ|[Gg]rüsse|[Gg]rüssen|LG|VG|MfG|[Cc]ordialement|[Ss]aludos|[Ss]aluti|[Gg]roet|[Gg]roeten|[Gg]roetjes|poważaniem|[Pp]ozdrawiam|[Aa]tenciosamente|[Cc]umprimentos|[Aa]braços|[Aa]braço';
/** The same, which other words than names follow where there is no comma. */
const THANKS =
  '[Tt]hanks|[Tt]hx|faithfully|[Mm]erci|avance|vous|journée|[Ss]alutations|[Bb]isous|[Bb]ises|[Dd]anke|Dank|[Gg]racias|saludo|[Aa]tentamente|[Aa]brazos?|[Bb]esos|[Gg]razie|abbraccio|[Dd]istinti|[Bb]aci|[Oo]brigad[oa]|[Bb]eijos|[Bb]edankt|[Dd]ziękuję|[Dd]zięki';
/** These are frequent as other words: they are looked for as they stand. */
const LAST_WORDS = ['Best', 'Love', 'Yours'];
const SIGN_OFFS = `${GREETINGS}|${THANKS}`;
const ALL_SIGN_OFFS = `${SIGN_OFFS}|${LAST_WORDS.join('|')}`;
/** Who reads the letter, and what is no name of anybody. */
const READERS =
  'Team|All|Everyone|Everybody|Folks|Guys|Support|Sir|Madam|Sirs|Monsieur|Madame|Messieurs|Schatz|Liebling|Leute|Chef|Chérie?|Cariño|Guapa|Amore|Tesoro|Querid[oa]|Lieverd|Schat|Kochanie|Honey|Darling|Sweetie|Mate|Buddy|Friend|God|Regards|Best|Love|Yours|Thanks|Merci|Grazie|Gracias|Danke';
const MY =
  '[Mm]eu|[Mm]inha|[Mm]ijn|[Mm]oja|[Mm]ój|[Mm]ojej|[Mm]ojego|[Mm]io|[Mm]ia|[Mm]eine|[Mm]einer|[Mm]einem|[Mm]ein|[Mm]on|[Mm]a|[Mm]i|[Hh]aar|[Zz]ijn|[Jj]ouw|[Oo]nze?|[Hh]un|[Ss]eine?|[Ii]hre?|[Ss]ein|[Ii]hr|[Uu]nsere?|[Dd]eine?|[Ss]on|[Ss]a|[Tt]on|[Tt]a|[Nn]otre|[Vv]otre|[Ll]eur|[Ss]u|[Tt]u|[Nn]uestr[oa]|[Ss]u[ao]|[Tt]u[ao]|[Ss]eu|[Nn]oss[oa]|[Jj]ej|[Jj]ego|[Nn]asza?|[Tt]w[oó]j[ae]?';
const RELATIVES_TOO =
  'irmão|irmã|filho|filha|marido|mulher|pai|mãe|amigo|amiga|chefe|broer|zus|zoon|dochter|man|vrouw|vader|moeder|vriend|vriendin|baas|siostra|brat|syn|córka|mąż|żona|szef|ojciec|matka|fratello|sorella|figlio|figlia|marito|moglie|amico|amica|capo|Bruder|Schwester|Sohn|Tochter|Mann|Frau|Mutter|Vater|Freund|Freundin|Chef|Chefin|Kollege|Kollegin|frère|sœur|soeur|fils|fille|mari|femme|ami|amie|mère|père|hermano|hermana|hijo|hija|mujer|novio|novia|jefe|jefa|primo|prima|buurvrouw|buurman|collega|sąsiadka?|Nachbar|Nachbarin|voisine?|collègue|vecin[oa]|vicin[oa]|vizinh[oa]|colega|cugin[oa]|Cousine?|cousine?|Schwager|Schwägerin|Neffe|Nichte|neef|nicht|cuñad[oa]|suegr[oa]|Mitbewohner(?:in)?|huisgenoot';
const GAVE = 'gave|given|showed|handed|lent';
const MAY = 'please|can|could|would|will';

const HAS_VIETNAMESE = nameSigns.add(`${VIETNAMESE}|${VIETNAMESE_PLAIN}|${VIETNAMESE_ALSO_WORDS}`);
const HAS_TITLE = nameSigns.add(TITLES);
const HAS_RELATIVE = nameSigns.add(RELATIVES);
export const HAS_DEED = nameSigns.add(
  `${HUMAN}|${GAVE}|called|named|namens|nommée?|appelée?|prénommée?|llamad[oa]|llama|nome|chiamat[oa]|chamad[oa]|genaamd|imieniem|imieniu`,
);
const HAS_MAY = nameSigns.add(MAY);
export const HAS_WORD = HAS_VIETNAMESE | HAS_TITLE | HAS_RELATIVE | HAS_DEED | HAS_MAY;
/** Somebody signs. */
export const HAS_SIGN_OFF = nameSigns.add(SIGN_OFFS);
/** An address in angle brackets may follow. */
export const HAS_ADDRESS = nameSigns.bit();
/** Somebody is called. */
export const HAS_CALL = nameSigns.bit();
/** A link, as Markdown writes them. */
export const HAS_LINK = nameSigns.bit();

export interface Rule {
  /** What a text has where the pattern is in it. */
  sign: number;
  /** Sticky where `words` are given. */
  pattern: RegExp;
  /** The list of words that the pattern begins with: it is tried at these. */
  words?: number;
  /** What is looked for first where the pattern begins with a name, which any word with a capital may be. */
  needs?: RegExp;
  /** A place that the model found there is a person after all. */
  overPlace?: true;
  /** And pieces of the name are parts of it. */
  overPieces?: true;
  /** The pattern has the surnames: no list is asked. */
  hasSurname?: true;
  /** The first word of the name is a first name. */
  hasFirstName?: true;
  /** The last word of the name is in the list of surnames. */
  hasLastName?: true;
  /** No word of the name may be in a list of other things. */
  isUnknown?: true;
  /** The model is sure of somebody else in the same text. */
  besideSomebody?: true;
}

/** Before a pattern that begins with a name: to look at one letter costs less than to look at what stands before it. */
export const CAPITAL = '(?=\\p{Lu})';
export const START = '(?<![\\p{L}\\p{M}\\p{N}]|\\d )';
export const RULES: readonly Rule[] = [
  {
    sign: HAS_VIETNAMESE,
    pattern: lean(
      `${START}(?<name>(?:${VIETNAMESE})(?: \\p{Lu}\\p{Ll}+){1,3}|(?:${VIETNAMESE_PLAIN})(?: \\p{Lu}\\p{Ll}+){2,3}|(?:${VIETNAMESE_ALSO_WORDS}) (?:${VIETNAMESE_MIDDLE})(?: \\p{Lu}\\p{Ll}+){1,2})(?!\\p{L})`,
      'uy',
    ),
    words: HAS_VIETNAMESE,
    overPlace: true,
    overPieces: true,
    hasSurname: true,
  },
  {
    sign: HAS_ADDRESS,
    pattern: lean(`["“](?<name>${NAME}, ${NAME}(?: \\p{Lu}\\.?)?)["”] ?<`, 'gu'),
    overPieces: true,
  },
  {
    sign: HAS_LINK,
    pattern: lean(`\\[(?<name>${NAME} ${NAME})\\]\\(https?:`, 'gu'),
    overPlace: true,
    overPieces: true,
    hasFirstName: true,
  },
  {
    sign: HAS_TITLE,
    pattern: lean(
      `${START}(?:(?:${TITLES})\\.? )+(?!(?:${TITLES})[. ])(?<name>${NAME}(?: ${NAME}){0,2})`,
      'uy',
    ),
    words: HAS_TITLE,
    overPlace: true,
  },
  {
    sign: HAS_TITLE,
    pattern: lean(
      `${START}(?:${TITLES.toUpperCase()})\\.? (?<name>\\p{Lu}{2,} \\p{Lu}{2,}(?:-\\p{Lu}{2,})?)(?![\\p{L}-])`,
      'uy',
    ),
    words: HAS_TITLE,
    needs: /[A-Z]{2}\.? [^a-z ]{2,} [^a-z ]/,
    hasFirstName: true,
  },
  // `MR D FOTHERINGHAM`, at the end of a line or a field.
  {
    sign: HAS_TITLE,
    pattern: lean(
      `${START}(?:MRS?|MS|MISS|DR|PROF|MME|MLLE|SRA?|HERR|FRAU|DHR|MEVR|DOTT|PANI?)\\.? (?<name>(?:\\p{Lu}\\.? ?){1,2}(?<=[ .])\\p{Lu}[\\p{Lu}'’]{2,}(?:-\\p{Lu}{2,})?)(?=\\s*(?:[\\n\\r,;"'|<]|$))`,
      'uy',
    ),
    words: HAS_TITLE,
    needs: /[A-Z]{2}\.? [A-Z](?:\. ?| )[A-Z]/,
    overPieces: true,
    hasSurname: true,
  },
  // `AL-HASHIMI/NOOR MRS`, as airlines write passengers.
  {
    sign: HAS_TITLE,
    pattern: lean(
      `${CAPITAL}${START}(?<name>\\p{Lu}[\\p{Lu}'-]+\\/\\p{Lu}{2,} ?(?:MR|MRS|MS|MISS|DR))(?!\\p{L})`,
      'gu',
    ),
    needs: /[A-Z]\/[A-Z]+ ?(?:MR|MRS|MS|MISS|DR)(?![A-Z])/,
    overPlace: true,
    overPieces: true,
    hasSurname: true,
  },
  {
    sign: HAS_RELATIVE,
    pattern: lean(
      `(?<=${START}(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Yy]our|[Tt]heir) )(?:${RELATIVES}),? (?<name>${NAME})`,
      'uy',
    ),
    words: HAS_RELATIVE,
  },
  {
    sign: HAS_DEED,
    pattern: lean(`${CAPITAL}${START}(?<name>${NAME}(?: ${NAME})?) (?:${HUMAN})(?!\\p{L})`, 'gu'),
    needs: lean(` (?:${HUMAN})(?!\\p{L})`, 'u'),
    overPlace: true,
  },
  {
    sign: HAS_DEED,
    pattern: lean(`${START}(?:${GAVE}) (?<name>${NAME}) (?:his|her)(?!\\p{L})`, 'gu'),
    needs: lean(` (?:${GAVE}) \\p{Lu}`, 'u'),
    overPlace: true,
  },
  {
    sign: HAS_DEED,
    pattern: lean(`${CAPITAL}${START}(?<name>${NAME}) (?:had|has) given ${NAME} (?:his|her)(?!\\p{L})`, 'gu'),
    needs: / ha[ds] given /,
    overPlace: true,
  },
  {
    sign: HAS_MAY,
    pattern: lean(`(?:^|[\\n.!?]["'”]?\\s)(?<name>${NAME}), (?:${MAY}) (?:I|you|we)(?!\\p{L})`, 'gu'),
    needs: lean(`, (?:${MAY}) (?:I|you|we)`),
    overPlace: true,
  },
  // `Will will look`.
  {
    sign: HAS_MAY,
    pattern: /(?<![\p{L}-] ?)(?<name>Will) will(?!\p{L})/gu,
    needs: /Will will /,
    overPlace: true,
  },
  {
    sign: HAS_CALL,
    pattern: lean(
      `${START}(?:${MY}) (?:${RELATIVES_TOO})(?: (?:é|ist|est|è|es|is|heißt|heet|jest)(?: [oa])?)? (?<name>${NAME})(?!\\p{L})`,
      'gu',
    ),
  },
  {
    sign: HAS_CALL,
    pattern: lean(
      `${START}(?:${CALLS}) (?<name>${NAME})(?= (?:and|or|oder|und|y|o|en|of) ${NAME}|[,.!?]| \\p{Ll}|$)`,
      'gu',
    ),
    isUnknown: true,
  },
  {
    sign: HAS_CALL,
    pattern: lean(
      `${START}(?:${CALLS}) ${NAME} (?:and|or|oder|und|y|o|en|of) (?<name>${NAME})(?! ?[\\p{Lu}])(?!\\p{L})`,
      'gu',
    ),
    isUnknown: true,
  },
  {
    sign: HAS_SIGN_OFF,
    pattern: lean(
      `${START}(?:(?:${ALL_SIGN_OFFS})[,!.]?\\s{0,3}\\n\\s{0,3}|(?:${ALL_SIGN_OFFS}), |(?:${GREETINGS}) )(?!(?:${READERS})(?!\\p{L}))(?<name>(?:\\p{Lu}\\. ?){0,2}${NAME}(?: (?:(?:de|da|di|van|von|der|den|el|al|la|bin|ben) ){0,2}(?:\\p{Lu}\\.|${NAME})){0,2})(?=[.!]?["”]?\\s*(?:\\n|$)| ?[-–—|,(] ?(?:[Tt]el|[Cc]ell?|[Mm]ob|[Hh]andy|[Tt]lf|[Tt]lm|GSM|[Pp]hone|[+\\d]))`,
      'gu',
    ),
    overPlace: true,
    overPieces: true,
    isUnknown: true,
  },
  {
    sign: HAS_SIGN_OFF,
    pattern: lean(
      `(?<=[\\p{Ll}\\d.!?)]\\s{0,2}\\n)\\s{0,3}\\n[-–—]{0,2} ?(?!(?:${READERS})(?!\\p{L}))(?<name>${NAME})\\s{0,4}$`,
      'gu',
    ),
    overPieces: true,
    isUnknown: true,
  },
  {
    sign: HAS_RELATIVE,
    pattern: lean(`(?:^|\\n)(?<name>${NAME}) (?:is|was) my (?:${RELATIVES})(?!\\p{L})`, 'gu'),
  },
];
const HAS_CALL_WORD = nameSigns.add(`${CALLS}|${MY}`);
const CALL = lean(
  `(?:${CALLS}|(?:${MY}) (?:${RELATIVES_TOO})(?: (?:é|ist|est|è|es|is|heißt|heet|jest)(?: [oa])?)?) \\p{Lu}`,
  'uy',
);
const SIGN_OFF = lean(`(?:${SIGN_OFFS})(?:[,!.]?\\s{0,3}\\n|, \\p{Lu})|(?:${GREETINGS}) \\p{Lu}`, 'uy');

/** Units of the last words of a text, with a greeting and who sends it. */
const TAIL_UNITS = 72;

/** Whether somebody is called in what `nameSigns` was asked for last. `words`: what `nameSigns` has there. */
export function isCalledIn(text: string, words: number): boolean {
  return (words & HAS_CALL_WORD) !== 0 && isAt(CALL, HAS_CALL_WORD, text, 0);
}

/** Whether somebody signs in [from, to), which is `piece`. `words`: what `nameSigns` has there, `marks`: what marks. */
export function isSignedIn(
  text: string,
  piece: string,
  from: number,
  to: number,
  words: number,
  marks: number,
): boolean {
  if (LAST_WORDS.some((word) => piece.includes(`${word},`))) return true;
  if (hasLastLine(text, from, to, marks)) return true;
  if ((words & HAS_SIGN_OFF) === 0) return false;
  // Who signs stands at the end of a line.
  const tail = (marks & MARK_LINE) === 0 ? Math.max(from, to - TAIL_UNITS) : from;
  return isAt(SIGN_OFF, HAS_SIGN_OFF, text, tail);
}

/** The last line of a text, a word behind an empty line. */
const LAST_LINE = /\n\s{0,3}\n[-–—]{0,2} ?\p{Lu}[\p{L}\p{M}'’-]{1,24}\s{0,4}$/u;
const LAST_UNITS = 40;

/** Whether a message ends at `to` in a line that may be the name of who sends it. */
function hasLastLine(text: string, from: number, to: number, marks: number): boolean {
  return (
    (marks & MARK_LINE) !== 0 &&
    to === text.length &&
    LAST_LINE.test(text.slice(Math.max(from, to - LAST_UNITS), to))
  );
}

/** Whether `pattern`, which is sticky, matches where a word of the list `bit` begins, from `from` on. */
function isAt(pattern: RegExp, bit: number, text: string, from: number): boolean {
  for (const at of nameSigns.placesOf(bit)) {
    if (at < from) continue;
    pattern.lastIndex = at;
    if (pattern.test(text)) return true;
  }
  return false;
}
