/** Who reported, mended or wrote something, in the comments and notes of programs, and who is greeted in their strings. */

import { type Gazetteer, LIST_FIRST_NAME, LIST_LAST_NAME, wordKey } from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { WordSigns } from '../../patterns/word-signs.js';
import { isNoThing } from '../listed-names.js';
import { withNames } from '../with-names.js';
import { START } from './told-rules.js';

const TOLD = 0.65;
/** What was done, up to the word for `by`, in nine languages. */
const DONE_BY =
  '(?:[Rr]eported|[Pp]atched|[Ss]potted|[Rr]eviewed|[Cc]ontributed|[Mm]aintained|[Ff]ixed|[Ww]ritten|[Ff]ound|[Ss]uggested|[Aa]pproved|[Aa]dded|[Rr]equested|[Cc]reated|[Oo]pened|[Cc]hecked|[Vv]erified|[Tt]ested|[Uu]pdated|[Ee]dited|[Mm]erged|[Dd]one|[Cc]losed|[Cc]hanged|[Dd]eleted|[Ss]igned|[Ss]ubmitted|[Pp]atch|[Ii]dea|[Cc]ode) (?:by|from)|[Bb]elongs to|[Tt]ook over from|[Tt]aken over from|[Hh]anded over (?:to|by)|' +
  '(?:[Gg]emeldet|[Bb]ehoben|[Gg]eschrieben|[Gg]efunden|[Gg]eprüft|[Gg]epflegt|[Vv]orgeschlagen|[Ff]reigegeben|[Aa]ngefordert|[Ee]rstellt|[Aa]ngelegt|[Gg]eändert|[Gg]elöscht) (?:von|durch)|' +
  '(?:[Ss]ignalée?|[Cc]orrigée?|[Éé]crite?|[Tt]rouvée?|[Rr]elue?|[Pp]roposée?|[Vv]alidée?|[Mm]aintenue?|[Aa]joutée?|[Cc]réée?|[Mm]odifiée?|[Ss]upprimée?) par|' +
  '(?:[Rr]eportad[oa]|[Cc]orregid[oa]|[Ee]scrit[oa]|[Ee]ncontrad[oa]|[Rr]evisad[oa]|[Pp]ropuest[oa]|[Aa]probad[oa]|[Aa]ñadid[oa]|[Cc]orrigid[oa]|[Rr]elatad[oa]|[Rr]evist[oa]|[Aa]provad[oa]|[Aa]dicionad[oa]|[Cc]read[oa]|[Cc]riad[oa]|[Aa]bert[oa]|[Aa]biert[oa]|[Aa]lterad[oa]|[Mm]odificad[oa]|[Bb]orrad[oa]|[Aa]pagad[oa]) por|' +
  '(?:[Ss]egnalat[oa]|[Cc]orrett[oa]|[Ss]critt[oa]|[Tt]rovat[oa]|[Pp]ropost[oa]|[Aa]pprovat[oa]|[Aa]ggiunt[oa]|[Cc]reat[oa]|[Aa]pert[oa]|[Mm]odificat[oa]) da|' +
  '(?:[Gg]emeld|[Oo]pgelost|[Gg]eschreven|[Gg]evonden|[Nn]agekeken|[Vv]oorgesteld|[Gg]oedgekeurd|[Tt]oegevoegd|[Aa]angemaakt|[Gg]ewijzigd|[Gg]eopend) door|' +
  '[Zz]głosiła?|[Pp]oprawiła?|[Nn]apisała?|[Ss]prawdziła?|[Zz]atwierdziła?|[Dd]odała?|[Zz]nalazła?|[Zz]ałożyła?|[Uu]tworzyła?|[Zz]mieniła?|[Uu]tworzon[yea] przez|[Zz]głoszon[yea] przez|[Pp]oprawion[yea] przez';
const SIGNS = new WordSigns();
const HAS_DOER = SIGNS.add(DONE_BY);
const WORD = "\\p{Lu}\\p{Ll}+(?:[-'’]\\p{Lu}\\p{Ll}+)?";
const SOMEBODY = `(?<name>${WORD}(?: (?:\\p{Lu}\\.|de|da|di|van|von|der|${WORD}))? ${WORD})(?! ?\\p{Lu}|[\\p{L}\\d@/-])`;
const DOER = lean(`${START}(?:${DONE_BY}) ${SOMEBODY}`, 'duy');
/** One word, at the end of the comment: a surname of the lists, or a first name. */
const SURNAME = lean(
  `${START}(?:${DONE_BY}) (?<name>${WORD})(?: in (?:19|20)\\d\\d)?[.!]?\\s*(?:$|\\n|\\*/)`,
  'duy',
);
/** Who is met, in the title of an appointment: `1:1 with Folasade`. */
const WITH = 'with|mit|avec|con|com|met|z';
const HAS_WITH = SIGNS.add(WITH);
const MET = lean(
  `(?<=(?:[Ll]unch|[Cc]all|[Mm]eeting|[Cc]offee|[Dd]inner|[Ss]ync|[Cc]atch-?up|[Ii]nterview|[Aa]ppointment|[Cc]hat|[Tt]ermin|[Gg]espräch|[Rr]éunion|[Rr]endez-vous|[Rr]eunión|[Cc]ita|[Rr]iunione|[Rr]eunião|[Aa]fspraak|[Ss]potkanie|1[:-]1) )(?:${WITH}) (?<name>${WORD}(?: ${WORD})?)(?=["'’.,)]|$)`,
  'duy',
);
/** Who is addressed: `Dear Mr Halvorsen,`. */
const TITLES = 'Mr|Mrs|Ms|Herrn?|Frau|Mme|Monsieur|Madame|Señora?|Signora?|Senhora?|Mevrouw|Meneer|Pani';
const HAS_TITLE = SIGNS.add(TITLES);
const ADDRESSED = lean(`${START}(?:${TITLES})\\.? (?<name>${WORD}(?: ${WORD})?)(?![\\p{L}\\d])`, 'duy');
const GREETED =
  /^(?:S[ae]l[aáe]a?m|Namaste|Merhaba|Ahoj|Hej|Hei|Hola|Ol[aá]|Oi|Ciao|Bonjour|Bonsoir|Salut|Coucou|Hallo|Hoi|Moin|Servus|Guten (?:Tag|Morgen|Abend)|Cześć|Witaj|Welcome back|Willkommen zurück|Bienvenid[oa]|Bentornat[oa]|Bem-vind[oa]|Good (?:morning|afternoon|evening)|Thanks|Thank you|Goodbye|Happy birthday)[,:]? (?:(?<name>\p{Lu}\p{Ll}{2,}(?: \p{Lu}\p{Ll}{2,})?)\s?[!,.]|(?<whole>\p{Lu}\p{Ll}{2,} \p{Lu}\p{Ll}{2,})$)/du;
const OTHERS = [
  [HAS_WITH, MET],
  [HAS_TITLE, ADDRESSED],
] as const;
/** Whom every program greets. */
const ANYBODY = lean(
  /^(?:World|Mundo|Monde|Welt|Mondo|Wereld|Świecie|Universe|There|User|Users|Guest|Admin|Visitor|Player|Friends?|Stranger|Everyone|Everybody|Team|All|Folks|Sir|Madam|Again|Back|Foo|Bar|Name|You|Home|Customer|Client|Member)(?!\p{L})/u,
);
const GREETING_UNITS = 64;

/** The name in what `pattern` matches at `place`, where it ends before `to`. */
function nameAt(
  pattern: RegExp,
  text: string,
  place: number,
  to: number,
): readonly [start: number, end: number] | undefined {
  pattern.lastIndex = place;
  const name = pattern.exec(text)?.indices?.groups?.name;
  return name !== undefined && name[1] <= to ? name : undefined;
}

function isOfPeople(text: string, start: number, end: number, lists: Gazetteer): boolean {
  return (lists.find(wordKey(text, start, end)) & (LIST_FIRST_NAME | LIST_LAST_NAME)) !== 0;
}

/** The people of a string or comment [from, to) that no other name covers. */
export function addDoers(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  const told: NameSpan[] = [];
  // A place of the model that has the greeting in it is none.
  const isGreeting = ({ type, start, end }: NameSpan) =>
    type === 'LOCATION' && start === from && GREETED.test(text.slice(start, end));
  const add = (start: number, end: number) => {
    const isTaken = (one: NameSpan) =>
      one.start < end && one.end > start && (one.type !== 'PERSON' || one.score >= TOLD) && !isGreeting(one);
    if (!spans.some(isTaken) && isNoThing(text.slice(start, end), lists))
      told.push({ type: 'PERSON', start, end, score: TOLD });
  };
  const hasDoer = SIGNS.in(text, from, to) !== 0;
  for (const place of hasDoer ? SIGNS.placesOf(HAS_DOER) : []) {
    const whole = nameAt(DOER, text, place, to);
    if (whole !== undefined) add(...whole);
    const one = nameAt(SURNAME, text, place, to);
    if (one !== undefined && isOfPeople(text, ...one, lists)) add(...one);
  }
  for (const [sign, pattern] of hasDoer ? OTHERS : []) {
    for (const place of SIGNS.placesOf(sign)) {
      const name = nameAt(pattern, text, place, to);
      if (name !== undefined) add(...name);
    }
  }
  const { name, whole } =
    GREETED.exec(text.slice(from, Math.min(to, from + GREETING_UNITS)))?.indices?.groups ?? {};
  const [start, end] = name ?? (to - from <= GREETING_UNITS ? whole : undefined) ?? [0, 0];
  if (end > 0 && !ANYBODY.test(text.slice(from + start, from + end))) add(from + start, from + end);
  return withNames(spans, told);
}
