/** Who does in a meeting or at work what firms and things do not, where somebody else is named: `Kowalczuk merged it`. */
import { lean } from '../lean.js';
import { CAPITAL, NAME, type Rule } from './told-rules.js';

const WILL =
  'check|ask|look|bring|draft|chase|follow up|speak to|talk to|cover for|join us|circulate|take notes|take minutes|drive';
const DEEDS = [
  `(?:will|to) (?:${WILL})(?!\\p{L})`,
  '(?:merged|reverted|reviewed|rebased|approved|tested|fixed) (?:it|them|this|that|the|my|his|her|our)(?!\\p{L})',
  '(?:asked|asks|wondered|wonders|suggested|suggests) (?:whether|if|why|when|how|for a|about|me|us|him|her)(?!\\p{L})',
  '(?:seconded|seconds|abstained|abstains|objected|objects|volunteered|volunteers|apologi[sz]ed|chaired|resigned|phoned|disagreed|disagrees|nodded|shrugged)(?!\\p{L})',
  'forgot to(?!\\p{L})',
  '(?:forgot|lost|left|took|brought) (?:my|his|her|our|their)(?!\\p{L})',
  'is (?:on (?:leave|holiday|vacation)|off sick|out sick|out today|away until|back on|running late)(?!\\p{L})',
  '(?:propone|se abstiene|se abstuvo|se ausenta|se ofrece|vota|votó|dimitió|avisó|pidió|preguntó|quiere saber|llegó tarde)(?!\\p{L})',
  "(?:propose de|s['’]abstient|s['’]est abstenue?|vote contre|vote pour|rappelle que|signale que|demande si|a demandé|a proposé|arrivera|est absente?|est excusée?)(?!\\p{L})",
  '(?:si astiene|si è astenut[oa]|chiede se|chiede di|ha chiesto|ha proposto|riferisce che|si offre|vota)(?!\\p{L})',
  '(?:beantragt|schlägt vor|enthält sich|stimmt dagegen|stimmt dafür|fragt,|meldet sich|kümmert sich|bittet um|ist krank|kommt später)(?!\\p{L})',
  '(?:propõe|propôs|abst[ée]m-se|absteve-se|votou|pediu|perguntou|avisou|sugeriu|faltou)(?!\\p{L})',
  '(?:stelt voor|onthoudt zich|vraagt of|meldt dat|neemt (?:het|de)|is ziek|komt later)(?!\\p{L})',
  '(?:proponuje|zaproponowała?|wstrzymała? się|pyta,|zapytała?|zgłosiła?|poprosiła?|zadzwoniła?)(?!\\p{L})',
].join('|');
const BEGINNING = '(?<=(?:^|[.!?;:]["”)]? |\\n(?:[-*•] )?))';

/** The words of these rules that no name is. */
export const DEED_WORDS =
  'will|merged|reverted|reviewed|rebased|approved|tested|fixed|asked|asks|wondered|wonders|suggested|suggests|seconded|seconds|abstained|abstains|objected|objects|volunteered|volunteers|apologi[sz]ed|chaired|resigned|phoned|disagreed|disagrees|nodded|shrugged|forgot|holiday|vacation|leave|sick|running|' +
  'propone|abstiene|abstuvo|ausenta|ofrece|vota|votó|dimitió|avisó|pidió|preguntó|propose|abstient|abstenue?|vote|rappelle|signale|demande|demandé|proposé|arrivera|absente?|excusée?|astiene|astenut[oa]|chiede|chiesto|proposto|riferisce|offre|beantragt|schlägt|enthält|stimmt|fragt|meldet|kümmert|bittet|krank|später|' +
  'propõe|propôs|abst[ée]m|absteve|votou|pediu|perguntou|avisou|sugeriu|faltou|stelt|onthoudt|vraagt|meldt|neemt|ziek|later|proponuje|zaproponowała?|wstrzymała?|pyta|zapytała?|zgłosiła?|poprosiła?|zadzwoniła?';

/** `sign` is that of `DEED_WORDS`. */
export function deedRules(sign: number): Rule[] {
  const one: Rule = {
    sign,
    pattern: lean(
      `${CAPITAL}${BEGINNING}(?<name>(?=[\\p{L}'’]{3})(?=\\p{Lu}\\p{L}?['’]?\\p{L}?\\p{Ll})${NAME}) (?:${DEEDS})`,
      'gu',
    ),
    needs: lean(`\\p{Ll} (?:${DEEDS})`, 'u'),
    besideSomebody: true,
    isUnknown: true,
  };
  const whole: Rule = {
    sign,
    pattern: lean(
      `${CAPITAL}(?<=(?:^|[.!?;:,]["”)]? |\\n(?:[-*•] )?))(?<name>${NAME} ${NAME}) (?:${DEEDS})`,
      'gu',
    ),
    needs: one.needs!,
    overPlace: true,
    overPieces: true,
    hasFirstName: true,
    hasSurname: true,
  };
  return [one, whole];
}
