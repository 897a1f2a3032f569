/** What tells a name beside the words of talk: a role in brackets, a number to call, a score, a nickname, a particle of surnames. */
import { lean } from '../../patterns/lean.js';
import {
  MARK_APOSTROPHE,
  MARK_BRACKET,
  MARK_DIGIT,
  MARK_DOTS,
  MARK_HYPHEN,
  MARK_QUOTE,
  MARK_SLASH,
} from '../marks.js';
import { nameSigns } from '../name-signs.js';
import { DEED_WORDS, deedRules, HAS_ALSO_WORD } from './told-deeds.js';
import { LABEL_WORDS, labelRules, YOUNG_WORDS, youngRules } from './told-labels.js';
import { HYPHENED_GIVEN, hostRule, koreanRule, MATTERS, speakerRule } from './told-peoples.js';
import { HAS_RECORD, RECORD_RULE } from './told-records.js';
import { CAPITAL, HAS_ADDRESS, HAS_CALL, HAS_LINK, NAME, type Rule, START } from './told-rules.js';

const ROLES =
  'landlord|landlady|tenant|lessor|lessee|buyer|seller|vendor|purchaser|employer|employee|borrower|lender|guarantor|trustee|executor|beneficiary|claimant|defendant|plaintiff|witness|chair|chairman|chairwoman|treasurer|secretary|clerk|captain|goalkeeper|bride|groom|mother|father|owner|driver|passenger|patient|nurse|surgeon|teacher|pupil|student|author|editor|translator|reviewer|maintainer|manager|director|ceo|cto|cfo|coo|founder|cofounder|intern|contractor|Vermieter(?:in)?|Mieter(?:in)?|Käufer(?:in)?|Verkäufer(?:in)?|Zeug(?:e|in)|Vorsitz|Schriftführer(?:in)?|bailleur|locataire|acheteur|vendeur|témoin|arrendador|arrendataria|arrendatario|comprador|vendedor|testigo|locatore|conduttore|venditore|acquirente|senhorio|inquilino|inquilina|verhuurder|huurder|koper|verkoper|wynajmujący|najemca|kupujący|sprzedający';
const CALL = '[Cc]all|[Rr]ing|[Pp]hone|[Tt]ext|[Dd]ial|[Ww]hats[Aa]pp';
const COPIES = '[Cc]c|CC|[Ff]yi|FYI|[Ll]oop in|[Ll]ooping in|[Cc]opying|[Pp]ing|[Tt]agging|[Kk]udos to';
const INTRODUCED =
  "[Hh]ier ist|[Mm]ein Name ist|[Ii]ch bin|[Ii]ch heiße|[Mm]y name is|[Ii][’']m|[Ii] am|[Tt]his is|[Ii]ci|[Cc][’']est|[Jj]e suis|[Jj]e m[’']appelle|[Ss]oy|[Mm]e llamo|[Ss]ono|[Mm]i chiamo|[Aa]qui é|[Ss]ou|[Mm]eu nome é|[Hh]ier is|[Ii]k ben|[Ii]k heet|[Mm]ijn naam is|[Jj]estem|[Nn]azywam się";
const CLERGY =
  'Mother|Father|Sister|Brother|Nurse|Coach|Maître|Padre|Frère|Sœur|Pastor|Schwester|Bruder|Pfarrer|Pater|Zuster|Broeder|Siostra|Ksiądz|Suor|Irmã|Fray';
/** Words of surnames that nothing else than names has between two capitals. */
const STRONG = 'bint|ibn|dos|van de[nr]?|von und zu|ter|op den|op de';
/** Words that stand between words of any kind, too. */
const WEAK = 'de(?: las?| los)?|del|da|das|di|della|degli|dello|du|des|van|von|af|av|zu|al|el|bin|ben';
/** These are before any noun; they are of a surname where somebody tells the name. */
const INTRODUCED_WITH = 'zur|zum|vom';
const CARE =
  't\\.n\\.v\\.|t\\.a\\.v\\.|z\\. ?Hd\\.|c/o|[Aa]ttn?[.:]|FAO:?|f\\.a\\.o\\.|[Pp]ayable to|[Aa] nombre de|[Aa] nome di|[Ee]m nome de|[Aa]u nom de|[Aa]uf den Namen|[Nn]a nazwisko|[Oo]p naam van|[Kk]ontoinhaber(?:in)?:?|[Rr]ekeninghouder:?|[Tt]itular:';
const DID =
  'pediu|ligou|disse|avisou|mora|trabalha|chegou|foi|vai|está|quer|mandou|enviou|perguntou|saiu|voltou|viajou|nasceu|comprou|escreveu|respondeu|assinou|confirmou|entregou|telefonou|mudou|esqueceu|precisa|tem|fica|vem';
const VERBS_OF_SENSE = 'hear|heard|hearing';

const HAS_CLERGY = nameSigns.add(CLERGY);
const HAS_SPOKEN = nameSigns.add(`${CALL}|${COPIES}|${VERBS_OF_SENSE}`);
const HAS_PARTICLE = nameSigns.add(`${STRONG}|${WEAK}|${INTRODUCED_WITH}|binti`);
const HAS_CARE = nameSigns.add(
  `hd|att|attn|fao|payable|nombre|nome|nom|namen|nazwisko|naam|kontoinhaber|rekeninghouder|titular|casa|chez|una?|aqui|${MATTERS}`,
);
/** What somebody did, in Portuguese. */
const HAS_DID = nameSigns.add(DID);
/** What somebody did in a meeting. */
const HAS_DEED = nameSigns.add(DEED_WORDS);
/** What stands before a surname. */
const HAS_LABEL = nameSigns.add(LABEL_WORDS);
/** `the Birtwhistle boy`. */
const HAS_YOUNG = nameSigns.add(YOUNG_WORDS);
const HAS_ROLES =
  HAS_CLERGY |
  HAS_SPOKEN |
  HAS_PARTICLE |
  HAS_CARE |
  HAS_RECORD |
  HAS_DID |
  HAS_DEED |
  HAS_LABEL |
  HAS_YOUNG |
  HAS_ALSO_WORD;
/** A bracket. These rules are asked by themselves, so that they may share signs with those of `told-rules.ts`. */
const HAS_ROLE = HAS_ADDRESS;
/** Two results of a game. */
const HAS_SCORE = HAS_CALL;
const HAS_NICKNAME = HAS_LINK;
/** A surname of two with a hyphen, or a given name of two syllables. */
const HAS_DOUBLE = nameSigns.bit();
/** `N'Diaye`, `d'Almeida`. */
const HAS_APOSTROPHE = nameSigns.bit();
const SCORE = / [0-7][-–][0-7](?:\(\d\))?,? [0-7][-–]/u;
const DOUBLE = / \p{Lu}\p{Ll}+-\p{Lu}/u;
/** This is told sooner. */
const HYPHENED = /-\p{Lu}/u;
const BRACKET = lean(` \\((?:the )?(?:${ROLES})\\)`, 'u');
const NICKNAME = / ["“„](?<=\p{Ll} ["“„])\p{Lu}\p{Ll}+["”“] \p{Lu}/u;
/** `t.n.v.`, `t.a.v.`, `f.a.o.` */
const DOTTED = /[tf]\.[an]\.[vo]\./;
const APOSTROPHE = lean(/(?<!\p{L})[MNd]['’]\p{Lu}/u);

const BETWEEN_CAPITALS = lean(` (?:${STRONG}|${WEAK}|${INTRODUCED_WITH}) (?:\\p{Lu}|\\p{Ll}{1,4} )`, 'u');

/** What stands in `piece` that a rule of this file begins with; `words`: what `nameSigns` has there, `marks`: what marks. */
export function rolesIn(words: number, marks: number, piece: string): number {
  const found = (words & HAS_ROLES) | signsOfMarks(marks, piece);
  return (found & HAS_PARTICLE) !== 0 && !BETWEEN_CAPITALS.test(piece) ? found & ~HAS_PARTICLE : found;
}

/** The signs that are no words. */
function signsOfMarks(marks: number, piece: string): number {
  const has = (mark: number) => (marks & mark) === mark;
  return (
    (has(MARK_HYPHEN | MARK_DIGIT) && SCORE.test(piece) ? HAS_SCORE : 0) |
    (has(MARK_HYPHEN) && ((HYPHENED.test(piece) && DOUBLE.test(piece)) || HYPHENED_GIVEN.test(piece))
      ? HAS_DOUBLE
      : 0) |
    (has(MARK_QUOTE) && NICKNAME.test(piece) ? HAS_NICKNAME : 0) |
    (has(MARK_APOSTROPHE) && APOSTROPHE.test(piece) ? HAS_APOSTROPHE : 0) |
    (has(MARK_BRACKET) && BRACKET.test(piece) ? HAS_ROLE : 0) |
    ((has(MARK_DOTS) && DOTTED.test(piece)) || (has(MARK_SLASH) && piece.includes('c/o')) ? HAS_CARE : 0)
  );
}

export const ROLE_RULES: readonly Rule[] = [
  {
    sign: HAS_ROLE,
    pattern: lean(`${CAPITAL}${START}(?<name>${NAME}(?: ${NAME}){1,2}) \\((?:the )?(?:${ROLES})\\)`, 'gu'),
    overPlace: true,
    overPieces: true,
  },
  {
    sign: HAS_SPOKEN,
    pattern: lean(
      `${START}(?:${CALL}) (?<name>${NAME}(?: ${NAME})?)(?= (?:on|at|under|unter|al|au|op):? ?[+(]?\\d)`,
      'gu',
    ),
    needs: / (?:on|at|under|unter|al|au|op):? ?[+(]?\d/,
    overPlace: true,
    overPieces: true,
  },
  {
    sign: HAS_SPOKEN,
    pattern: lean(
      `${START}(?:${COPIES}):? ${NAME}(?: ${NAME})?(?:,| and| &| \\+|/) (?<name>${NAME})(?![\\p{L}-]| \\p{Lu})`,
      'gu',
    ),
    needs: lean(`(?<!\\p{L})(?:${COPIES}):? \\p{Lu}`, 'u'),
    isUnknown: true,
  },
  {
    sign: HAS_SPOKEN,
    pattern: lean(`${START}(?:${VERBS_OF_SENSE}) (?<name>${NAME}) \\p{Ll}{3,}(?!\\p{L})`, 'gu'),
    needs: lean(`(?<!\\p{L})(?:${VERBS_OF_SENSE}) \\p{Lu}`, 'u'),
    isUnknown: true,
  },
  {
    sign: HAS_CLERGY,
    pattern: lean(
      `${START}(?:${CLERGY}) (?!Nature|Earth|Russia|Tongue|Christmas|Time|City|Cit(?:y|ies)|Company|Act|Goose|Superior|General|Counsel|Mode|Sector|Key|Keys|Equity|League|Justice|Day|Board|Road)(?<name>${NAME}(?: ${NAME})?)`,
      'gu',
    ),
    needs: lean(`(?<!\\p{L})(?:${CLERGY}) \\p{Lu}`, 'u'),
    overPlace: true,
    isUnknown: true,
  },
  {
    sign: HAS_PARTICLE,
    pattern: lean(
      `${CAPITAL}${START}(?<name>${NAME} (?:(?:${STRONG}) )+${NAME})(?![\\p{L}-]| \\p{Lu})`,
      'gu',
    ),
    needs: lean(`\\p{Ll} (?:${STRONG}) \\p{Lu}`, 'u'),
    overPieces: true,
    hasFirstName: true,
  },
  {
    sign: HAS_PARTICLE,
    pattern: lean(`${CAPITAL}${START}(?<name>${NAME} (?:(?:${WEAK}) )+${NAME})(?![\\p{L}-]| \\p{Lu})`, 'gu'),
    needs: lean(`\\p{Ll} (?:${WEAK}) \\p{Lu}`, 'u'),
    hasFirstName: true,
    isUnknown: true,
  },
  {
    sign: HAS_PARTICLE,
    pattern: lean(
      `${START}(?:${INTRODUCED}) (?<name>${NAME} (?:${INTRODUCED_WITH}) ${NAME})(?!\\p{L})`,
      'gu',
    ),
    needs: lean(`\\p{Ll} (?:${INTRODUCED_WITH}) \\p{Lu}`, 'u'),
    overPieces: true,
  },
  {
    sign: HAS_SCORE,
    pattern: lean(
      `${CAPITAL}${START}(?<name>${NAME}(?: ${NAME})?),? [0-7][-–][0-7](?:\\(\\d\\))?,? [0-7][-–][0-7]`,
      'gu',
    ),
    overPlace: true,
    isUnknown: true,
  },
  {
    sign: HAS_NICKNAME,
    pattern: lean(`${CAPITAL}${START}(?<name>${NAME} ["“„]\\p{Lu}\\p{Ll}+["”“] ${NAME})`, 'gu'),
    overPieces: true,
    hasFirstName: true,
  },
  {
    sign: HAS_DOUBLE,
    pattern: lean(
      `${CAPITAL}${START}(?<name>\\p{Lu}\\p{Ll}+ \\p{Lu}\\p{Ll}+-\\p{Lu}\\p{Ll}+)(?=[,.;)]| (?:is|was|has|had|will|and|who|said|says|wrote|or|ist|est|es|è)(?!\\p{L})|$)`,
      'gu',
    ),
    needs: DOUBLE,
    isUnknown: true,
    hasLastName: true,
  },
  koreanRule(HAS_DOUBLE),
  {
    sign: HAS_APOSTROPHE,
    pattern: lean(
      `${START}(?<name>(?:${NAME} )?[MN]['’](?!Djam|Zér|Gaou|Sila|Bour|Zib)\\p{Lu}\\p{Ll}{2,})(?!\\p{L})`,
      'gu',
    ),
    overPieces: true,
    hasSurname: true,
  },
  {
    sign: HAS_APOSTROPHE,
    pattern: lean(/(?<=[:,;] )(?<name>d['’]\p{Lu}[\p{L}\p{M}-]{2,})(?= et \p{Lu})/gu),
    overPieces: true,
    hasSurname: true,
  },
  {
    sign: HAS_PARTICLE,
    pattern: lean(`${CAPITAL}${START}(?<name>${NAME} (?:bin|bint|binti|ibn) ${NAME})(?!\\p{L})`, 'gu'),
    needs: /\p{Ll} (?:bin|binti?|ibn) \p{Lu}/u,
    overPieces: true,
    hasSurname: true,
  },
  {
    sign: HAS_PARTICLE,
    pattern: lean(
      `${CAPITAL}${START}(?<name>\\p{Lu}\\p{L}+-\\p{Lu}\\p{L}+ (?:de|de la|du|des|von|van|van de[nr]?|le|la) ${NAME})(?!\\p{L})`,
      'gu',
    ),
    needs: lean(/-\p{Lu}\p{L}+ (?:de|du|des|von|van|le|la) /u),
    overPieces: true,
    hasFirstName: true,
  },
  {
    sign: HAS_CARE,
    pattern: lean(`${START}(?:${CARE}) (?<name>${NAME}(?: (?:(?:${STRONG}|${WEAK}) )*${NAME}){1,2})`, 'gu'),
    needs: lean(`(?:${CARE}) \\p{Lu}`, 'u'),
    overPlace: true,
    overPieces: true,
    isUnknown: true,
  },
  RECORD_RULE,
  {
    sign: HAS_DID,
    // No article stands before a town that does something, but before somebody.
    pattern: lean(
      `(?:(?:^|[.!?;,\\n] ?)[AO]|(?:[,;] |(?<!\\p{L})(?:e|mas|que|se|porque|quando) )[ao]) (?<name>${NAME}) (?:${DID})(?!\\p{L})`,
      'gu',
    ),
    needs: lean(`(?<!\\p{L})[AOao] \\p{Lu}\\p{L}+ (?:${DID})(?!\\p{L})`, 'u'),
    overPlace: true,
    hasFirstName: true,
  },
  ...deedRules(HAS_DEED),
  hostRule(HAS_CARE),
  speakerRule(HAS_CARE),
  ...labelRules(HAS_LABEL),
  ...youngRules(HAS_YOUNG),
];
