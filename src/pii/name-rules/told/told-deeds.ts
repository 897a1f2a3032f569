/** Who does in a meeting or at work what firms and things do not, where somebody else is named: `Kowalczuk merged it`. */
import { lean } from '../../patterns/lean.js';
import { nameSigns } from '../name-signs.js';
import { NAME, type Rule } from './told-rules.js';

/** Each from its first word that only few sentences have; what stands between it and the name is before it. */
const BETWEEN = "(?:se |si |si è |s['’]|s['’]est |a |ha |est |quiere )?";
const DEEDS = [
  'will (?:check|ask|look|bring|draft|chase|follow up|speak to|talk to|cover for|join us|circulate|take notes|take minutes|drive)',
  '(?:merged|reverted|reviewed|rebased|approved|tested) (?:it|them|this|that|the|my|his|her|our)',
  '(?:asked|asks|wondered|wonders|suggested|suggests) (?:whether|if|why|when|how|for a|about|me|us|him|her)',
  'seconded|seconds|abstained|abstains|objected|objects|volunteered|volunteers|apologi[sz]ed|chaired|resigned|phoned|disagreed|disagrees|nodded|shrugged',
  'forgot (?:to|my|his|her|our|their)',
  'wants (?:to|more|a|an|the|us|me|him|her|my|our)(?!\\p{L})',
  'propone|abstiene|abstuvo|ausenta|ofrece|votó|dimitió|avisó|pidió|preguntó',
  'propose de|abstient|abstenue?|vote contre|vote pour|rappelle que|signale que|demande si|demandé|proposé|arrivera|absente?|excusée?',
  'astiene|astenut[oa]|chiede se|chiede di|chiesto|proposto|riferisce che|offre',
  'beantragt|schlägt vor|enthält sich|stimmt dagegen|stimmt dafür|fragt,|meldet sich|kümmert sich|bittet um',
  'propõe|propôs|abst[ée]m-se|absteve-se|votou|pediu|perguntou|avisou|sugeriu|faltou',
  'stelt voor|onthoudt zich|vraagt of|meldt dat|neemt (?:het|de)',
  'proponuje|zaproponowała?|wstrzymała? się|pyta,|zapytała?|zgłosiła?|poprosiła?|zadzwoniła?',
].join('|');
/** Where somebody lives: `lo firma Rosario Cifuentes, que vive en`. */
const LIVES =
  'lives|lived|vive|vivía|habite|habitait|wohnt|wohnte|abita|woont|woonde|mieszka|mora|reside|resides';
const WHO = '(?:, (?:que|qui|who|die|der|che) |, | )';
const BEGINNING = '(?:^|[.!?;:,]["”)]? |\\n(?:[-*•] )?)';

/** `June is on leave`, `until April has read it`: names that are months and verbs, where they do what people do. */
const ALSO_WORDS =
  'April|May|June|August|Will|Mark|Grant|Rose|Bill|Hope|Faith|Joy|Grace|Dawn|Summer|Autumn|Chase|Drew|Pat|Sue|Rob|Art|Frank|Iris|Ivy|Holly|Amber|Ruby|Ray|Dean|Max';
/** The sign of a text that has one of them. */
export const HAS_ALSO_WORD = nameSigns.add(ALSO_WORDS);
const PREDICATE =
  "(?:is (?:on leave|on holiday|on call|off sick|sick|late|out|away|back|here|my|our|his|her)|has (?:read|signed|asked|agreed|replied|approved|finished|left the|the (?:keys?|file|number))|had (?:asked|told|left|read)|can['’]?t|cannot|won['’]?t|didn['’]?t|doesn['’]?t|refuses|refused|promised|thinks|says|said (?:no|yes|that|he|she|it)|asked|asks|wants|called (?:me|us|in)|phoned|texted|wrote|signed|replied|forgot|lives|works|insists|agrees|agreed|volunteered)";
/** The words of these rules that no name is. */
export const DEED_WORDS =
  `${LIVES}|` +
  'will|wants|merged|reverted|reviewed|rebased|approved|tested|asked|asks|wondered|wonders|suggested|suggests|seconded|seconds|abstained|abstains|objected|objects|volunteered|volunteers|apologi[sz]ed|chaired|resigned|phoned|disagreed|disagrees|nodded|shrugged|forgot|' +
  'propone|abstiene|abstuvo|ausenta|ofrece|votó|dimitió|avisó|pidió|preguntó|propose|abstient|abstenue?|vote|rappelle|signale|demande|demandé|proposé|arrivera|absente?|excusée?|astiene|astenut[oa]|chiede|chiesto|proposto|riferisce|offre|beantragt|schlägt|enthält|stimmt|fragt|meldet|kümmert|bittet|' +
  'propõe|propôs|abst[ée]m|absteve|votou|pediu|perguntou|avisou|sugeriu|faltou|stelt|onthoudt|vraagt|meldt|neemt|proponuje|zaproponowała?|wstrzymała?|pyta|zapytała?|zgłosiła?|poprosiła?|zadzwoniła?';

/** `sign` is that of `DEED_WORDS`. */
export function deedRules(sign: number): Rule[] {
  const deed = (beginning: string, name: string) =>
    lean(`(?<=${beginning}(?<name>${name}) ${BETWEEN})(?:${DEEDS})(?!\\p{L})`, 'uy');
  return [
    {
      sign,
      words: sign,
      pattern: deed(BEGINNING, `(?=[\\p{L}'’]{3})(?=\\p{Lu}\\p{L}?['’]?\\p{L}?\\p{Ll})${NAME}`),
      besideSomebody: true,
      isUnknown: true,
    },
    {
      sign,
      words: sign,
      pattern: deed(BEGINNING, `${NAME} ${NAME}`),
      overPlace: true,
      overPieces: true,
      hasFirstName: true,
      hasSurname: true,
    },
    {
      sign,
      words: sign,
      pattern: lean(`(?<=(?<![\\p{L}\\p{M}'’-])(?<name>${NAME} ${NAME})${WHO})(?:${LIVES})(?!\\p{L})`, 'uy'),
      overPlace: true,
      overPieces: true,
      hasFirstName: true,
    },
    {
      sign: HAS_ALSO_WORD,
      words: HAS_ALSO_WORD,
      pattern: lean(
        `(?<=(?:^|[.!?;:,\\n]["”)]? ?|(?<!\\p{L})(?:until|and|but|that|if|because|so|when|while|as) ))(?<name>${ALSO_WORDS}) (?:${PREDICATE})(?!\\p{L})`,
        'uy',
      ),
      overPlace: true,
      hasSurname: true,
    },
  ];
}
