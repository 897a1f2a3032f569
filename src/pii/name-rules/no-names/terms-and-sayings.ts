import { lean } from '../../patterns/lean.js';
import { haveListed, mayBeListed } from '../words-beside.js';
import { NAMED_AFTER } from './named-after.js';

/** Names in fixed phrases, which are nobody's: dishes, plants, laws and methods, cards, idioms, tools, buttons. */

/** What is called after somebody, behind `'s` or a blank. */
const LAW =
  "['’]s (?:laws?|razors?|theorems?|lemma|principle|paradox|conjecture|constant|inequality|algorithm|sieve)";
const METHOD =
  '(?:algorithms?|transforms?|distributions?|models?|filters?|edges?|heaps?|graphs?|theorems?|series|processes|process|chains?|blur|prior|shortest|weights|estimator|regression|classifier|detector|naive|tree)';
const TOOL =
  '(?:Maven|Gradle|Jest|Mocha|Karma|Vitest|Cypress|Hibernate|Spring Boot|CircleCI|GitLab CI|Bamboo|Gerrit|Ansible|classpath|dependenc(?:y|ies)|annotations?)';
/** `Boston, Kansas and ` before the name. */
const OTHERS = '(?:["“]?[\\p{Lu}\\d][\\p{L}\\d’\']*["”]?(?:,? and |,? or |, ))*';
const BAND =
  '(?:[Bb]ands?|[Ss]ongs?|[Aa]lbums?|[Tt]racks?)(?: (?:like|such as|called|named|titled))? (?=["“]|[^ ]+(?:,| and| or))';
const GAME = '(?:board ?games?|expansions?|meeples?|Catan|Ticket to Ride)';
const SHOP = "['’]s (?:app|coupons?|burgers?|drive-thru|gift cards?|loyalty)(?!\\p{L})";

/** What stands around [start, end) by one of its words; `~` is the place of the name. */
const PHRASES: readonly (readonly [words: string, around: string])[] = [
  ['mary marys', 'Bloody ~'],
  ['joe joes', 'Sloppy ~'],
  ['benedict', '[Ee]ggs ~'],
  ['granny', '~'],
  ['susan susans', '[Bb]lack-eyed ~'],
  ['sweet', '~ and|~ (?:seeds?|plants?|flowers?|both)'],
  ['jenny', '[Cc]reeping ~'],
  ['jane', '[Pp]lain ~'],
  ['bartlett williams anjou bosc comice', '~ pears?|[Pp]oires? ~|[Pp]eras? ~|~-Birnen?'],
  ['bramley', '~ (?:apples?|for a|pie|crumble)'],
  ['margherita marinara', '[Pp]izz[ae] ~'],
  ['pan', '~ collars?'],
  ['worcestershire', '~ sauce'],
  [
    'turkey',
    '(?:[Rr]oast|[Gg]round|[Ss]moked|[Dd]eli|[Ww]ild|[Ss]liced|[Ss]tuffed) ~(?! ?(?:and|,) \\p{Lu})|~ (?:breasts?|sandwich|burgers?|stock|gravy|leg)',
  ],
  ['bermuda', '~ (?:shorts|grass|onions?)'],
  ['heather', '~ (?:Hoodie|Sweater|Tee|T-Shirt|Shirt|Melange)'],
  ['brown', '(?:^|[.!?:;\\n-] ?|then |and )~ (?:the|your|both) \\p{Ll}'],
  ['tom', '~, Dick,? and Harry'],
  ['dick', 'Tom, ~,? and Harry'],
  ['harry', 'Tom, Dick,? and ~'],
  ['peter', '~ to pay Paul'],
  [
    'bill',
    '(?:^|[.!?\\n] ?)~ to \\p{Ll}|~ (?:runs?|cycle|of (?:lading|materials|rights)|payments?)(?!\\p{L})',
  ],
  ['paul', 'Peter to pay ~'],
  ['bob', "~['’]s your uncle"],
  ['hase', '[Nn]ame ist ~, ich weiß'],
  ['jan-van-gent', '~'],
  [
    'murphy occam ockham hanlon godwin moore conway brooks goodhart parkinson poe amdahl zipf benford ohm hooke newton kepler boyle snell bragg pareto fermat gödel cantor euler gauss pascal newcomb olbers jevons hofstadter postel hyrum linus cunningham',
    `~${LAW}`,
  ],
  [
    'bayes markov poisson bernoulli dijkstra kruskal bellman bellman-ford huffman gauss laplace fourier hough canny sobel kalman cauchy weibull euler levenshtein hilbert',
    `~(?:(?:, | or | and |-)\\p{Lu}[\\p{L}-]+)*:?(?: (?:for|with|needs?|uses?|on|over|vs|in|which|of|these))*(?: (?:an?|the))?(?: \\p{Ll}+)? ${METHOD}(?!\\p{L})`,
  ],
  [
    'jenkins travis hudson jackson jasmine mocha chai lombok hamcrest selenium guice',
    `(?<!\\p{L})(?:from|from \\p{L}+ to|then to|the|via|using|uses?) ~[^!?\\n]{0,60}(?<!\\p{L})${TOOL}(?!\\p{L})|~ (?:and|or) ${TOOL}|(?<!\\p{L})${TOOL}(?!\\p{L})(?: (?:and|or)|[^!?\\n]{0,60} (?:the|via|using)) ~`,
  ],
  [
    'boston kansas chicago asia europe america berlin japan alabama nazareth toto africa texas phoenix',
    `${BAND}${OTHERS}["“]?~|[”"] by ~`,
  ],
  ['carcassonne', `~[^\\n]{0,50}${GAME}|${GAME}[^\\n]{0,50}~`],
  [
    'jack',
    '(?:^|[.!?:\\n] ?)~ beats \\p{Ll}|(?:[Kk]ing|[Qq]ueen|[Aa]ce|[Tt]en|[Nn]ine) (?:or|and|beats) ~|~ of (?:hearts|spades|diamonds|clubs)',
  ],
  ['hunter', '~ main(?!\\p{L})|~ or (?:Rogue|Mage|Warrior|Paladin|Druid|Priest|Warlock|Shaman)'],
  ['wendy denny arby macy kohl hardee applebee wegman', `~${SHOP}`],
  ['kenwood milwaukee', '~ (?:Chef|mixers?|drills?|drivers?|saws?|batter(?:y|ies)|toolbox|M18|M12|kMix)'],
  [
    'mark',
    '~ (?:[Aa]s (?:[Rr]ead|[Uu]nread|[Ss]pam|[Dd]one|[Cc]omplete|[Pp]aid|[Rr]esolved|[Ff]avou?rite)|All|Complete|Completed|Done|Paid|Unread|Resolved)(?!\\p{L})',
  ],
  ['grant', '~ (?:Permissions?|Access|Roles?|Rights|Admin|Consent|Privileges)(?!\\p{L})'],
  ['chase', '~ (?:Payments?|Invoices?|Up|Overdue)(?!\\p{L})'],
];

/** By each of its words, or by all of them: what of the phrase a text has around the place of the name. */
const AROUND = new Map<string, RegExp[]>();
for (const [words, around] of [...PHRASES, ...NAMED_AFTER]) {
  const form = lean(around.replaceAll('~', '\u0001'), 'u');
  for (const name of words.split(' ')) {
    const key = name.replaceAll('_', ' ');
    AROUND.set(key, [...(AROUND.get(key) ?? []), form]);
  }
}
haveListed(AROUND.keys());
/** What is called so is written in quotes: `has no attribute 'Virginia'`, `Class 'Victoria'`. */
const MEMBER = lean(
  /(?<!\p{L})(?:attribute|property|method|symbol|identifier|module|variable|import|enum|class|type|function|interface|struct|trait|package|namespace|relation|column|constant|macro|component|directive|parameter|argument|decorator|find name|property name)s?:? ["'`]$/iu,
);
/** And this stands behind the quotes. */
const OF_MEMBER =
  /^["'`] (?:is not defined|is undefined|has no |object has no |was not declared|is declared but|is not (?:a function|a constructor|callable|assignable|iterable|exported)|implicitly has)/;
/** Without quotes, as Go and linkers write it. */
const UNDEFINED = /(?:^|[\s(])(?:undefined|undefined reference to|unresolved import|undeclared name): $/;
const QUOTES = '"\'`';
const UNITS = 64;

/** Whether [start, end) is part of such a phrase. */
export function isTermOrSaying(text: string, start: number, end: number, name: string): boolean {
  if (isMember(text, start, end)) return true;
  const blank = name.indexOf(' ');
  if (blank < 0 && !mayBeListed(text, start)) return false;
  const found = name.toLowerCase();
  const ofFirst = AROUND.get(blank < 0 ? found : found.slice(0, blank));
  const ofLast = blank < 0 ? undefined : AROUND.get(found.slice(found.lastIndexOf(' ') + 1));
  const ofAll = blank < 0 ? undefined : AROUND.get(found);
  if (ofFirst === undefined && ofLast === undefined && ofAll === undefined) return false;
  const around = `${text.slice(Math.max(0, start - UNITS), start)}\u0001${text.slice(end, end + UNITS)}`;
  return [...(ofFirst ?? []), ...(ofLast ?? []), ...(ofAll ?? [])].some((form) => form.test(around));
}

/** Whether an error names it as a part of a program. */
function isMember(text: string, start: number, end: number): boolean {
  const last = text[start - 1] ?? ' ';
  const before = () => text.slice(Math.max(0, start - 24), start);
  if (QUOTES.includes(last)) return MEMBER.test(before()) || OF_MEMBER.test(text.slice(end, end + 28));
  return last === ' ' && text[start - 2] === ':' && UNDEFINED.test(before());
}
