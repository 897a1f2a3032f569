import { CLASS_LETTER, charClass } from '../../model/characters.js';
import { lean } from '../../patterns/lean.js';
import { isSmallAt } from '../words-beside.js';
/** Names that are words for things and deeds, too: `to be frank`, `faith and grace`, `Grant funding`. */

/** What people do and are, behind a name at the beginning of a sentence. */
export const OF_PEOPLE = lean(
  /^ (?:is|was|will|would|said|says|has|had|can|could|lives?|lived|wants?|wanted|asked|asks|told|tells|and|or|did|does|died|thinks?|knows|came|comes|went|goes|gave|got|gets|took|works?|worked|wrote|left|likes?|loves?|met|moved|just|never|also|sent|called|joined|who|if|est|ist|war|hat|wird|era|fue|tiene|a|è|ha|van|von|de|der|di|da|del|y|e|et|und)(?!\p{L})/u,
);
const IS_VERB = /^(?:grant|mark|bill|chase|frank|rob|pat|will|drew|sue|skip|wade|nick|art|carol|dot)$/;
/** `to be frank`. */
const FRANK = lean(
  /(?<!\p{L})(?:be|being|quite|so|very|perfectly|brutally|totally|entirely|completely|too) $/u,
);
const BEFORE_VERB = lean(
  /(?<!\p{L})(?:not|to|will|may|shall|can|could|should|must|would|does|do|did|hereby|I|we|you|they|and|or) $/u,
);

/** `let him mark stuff`. */
const LET = /(?:let|make|makes|made|help|have|having) (?:him|her|them|me|us|you|it) $/i;
/** `and then chase the money`, but `ask mark the price`. */
const HAS_OBJECT = /^ (?:the|an?|my|your|his|her|our|their|it|them|him|us|up|off|down|out)(?![a-z'’])/;
const IS_TOLD = lean(
  /(?<!\p{L})(?:ask|tell|told|asked|give|gave|show|showed|send|sent|call|called|text|texted|owe|pay|paid|for|with|from|by|let|made|make|hi|hey) $/iu,
);

/** What people wish for, flowers and the like. */
export const IS_THING =
  /^(?:joy|hope|faith|grace|rose|ivy|lily|dawn|iris|summer|autumn|angel|destiny|art|harmony|melody|charity|mercy|patience|prudence|holly|olive|ruby|pearl|amber|daisy|violet|heather|hazel|ginger|sage|basil|rosemary|candy|sunny|sandy|rusty|dusty|buddy|rocky|misty|star|sky|ocean|river|forest|brook|cliff|glen|lane|reed|clay|stone|wood|bush|miles|penny|bill|pat|rob|red|yellow|orange|pink|purple|green|blue|black|white|gray|grey|brown|gold|silver|scarlet|coral|crystal|jade|opal)$/;
const BEFORE_THING = lean(
  /(?<!\p{L})(?:for|of|in|the|an?|with|is|are|be|some|no|more|much|any|this|that|each|every|our|his|her|their|its) $/u,
);

/** `Faith and Grace`, `hope and grace`. */
const AND_THING = lean(/^,? (?:and|or|&) (\p{L}+)/u);
const THING_AND = lean(/(\p{L}+),? (?:and|or|&) $/u);
const GRANTED = lean(
  /^ (?:applications?|proposals?|money|funding|programs?|programmes?|writing|agreements?)(?!\p{L})/u,
);

/** `Frank discussion;`: a name that is a word, with a thing behind it that ends the phrase. */
const IS_WORD =
  /^(?:Frank|Carol|Dawn|Summer|Autumn|Rich|Art|May|Grace|Hope|Faith|Joy|Rose|Mark|Grant|Bill|Will|Sunny|Misty|Rocky|Sandy|Rusty|Dusty|Stormy|Ginger|Basil|Olive|Iris|Violet|Ruby|Pearl|Amber|Crystal|Jade|Penny|Jack|Billy|Tom|Robin|Martin|Sterling|Royal|Noble|Guy|Earl|Duke|Chuck|Chase|Lance|Drew|Sue|Pat|Ivy|Holly|Heather|Daisy|Lily|Star|Angel|Destiny|Harmony|Melody)$/;
const THING_BEHIND =
  /^ (?!.*(?:ed|s|t)(?:[;,.:!?)]|$))\p{Ll}{3,}(?=[;,.:!?)\n]|$)|^ (?:\p{Ll}+(?:ing|ion|ment|ness)|\p{Ll}{3,}s|feedback|advice|talk|words)(?=[;,.:!?)\n]|$| and | is | are )/u;

/** Two words for things with a word between them, or what is granted. */
export function isThing(text: string, start: number, end: number, found: string): boolean {
  const after = text.slice(end, end + 20);
  if (isSmallAt(text, end + 1) && IS_WORD.test(found) && THING_BEHIND.test(after) && !OF_PEOPLE.test(after))
    return true;
  if (found === 'Grant' && GRANTED.test(after)) return true;
  if (found.includes(' ') || !IS_THING.test(found.toLowerCase())) return false;
  const other = AND_THING.exec(after)?.[1] ?? THING_AND.exec(text.slice(Math.max(0, start - 20), start))?.[1];
  return other !== undefined && IS_THING.test(other.toLowerCase());
}

/** Colours and flowers of other languages, in a sentence that writes names with a capital: `la grue rose`. */
const COLOUR =
  /^(?:rose|rosa|roze|violette?|violeta|viola|blanche|bianca|blanca|olive|iris|marguerite|margherita|margarita|jasmin|azalea|camelia|lilas|marine|bruna|celeste|alba|aurora|estrella|luna|stella|perla)$/;
const WITH_CAPITAL = /(?:^|[.!?\n«“"])[ \u00a0]*\p{Lu}[^.!?\n]*$/u;
const SENTENCE_UNITS = 120;

/** Whether it is a colour or a flower and no name. */
export function isColour(text: string, start: number, found: string): boolean {
  if (!isSmallAt(text, start)) return false;
  const [first, ...rest] = found.split(' ');
  if (!COLOUR.test(first!) || rest.some((word) => /^\p{Lu}/u.test(word))) return false;
  return WITH_CAPITAL.test(text.slice(Math.max(0, start - SENTENCE_UNITS), start));
}

/** `Grant read access`. */
const TO_THINGS = lean(
  /^ (?:\p{Ll}+[- ]){0,2}(?:access|permissions?|rights?|privileges?|roles?|scopes?)(?!\p{L})/u,
);
/** `Rose from 3% to 5%`. */
const ROSE_BY = /^ (?:from|by|to|above|over) (?:about |nearly |over )?[$€£]?\d/;
/** Before `rose`, as what went up. */
const WENT_UP = lean(/(?<!\p{L})(?:i|I|he|she|it|we|they|who|that|which|\p{Ll}{3,}s) $/u);
const AS_VERB = lean(
  /^(?: (?:from|to|by|at|in|and|again|sharply|slightly|early|late|up|above|over|\d)(?!\p{L})|[.,;]|$)/u,
);
const RAY_TRACING = /^ (?:tracing|casting|marching)(?!\p{L})/u;

/** At the beginning of a sentence: `Grant read access`, `Mark the box`. */
export function isOrderTo(text: string, end: number, found: string): boolean {
  const after = text.slice(end, end + 40);
  if (found === 'Rose') return ROSE_BY.test(after);
  if (found === 'Ray') return RAY_TRACING.test(after);
  return found === 'Grant' && TO_THINGS.test(after);
}

/** `prices rose`. */
export function isRise(found: string, before: string, after: string): boolean {
  return found === 'rose' && WENT_UP.test(before) && AS_VERB.test(after);
}

/** `and bill paid the rent`. */
const OF_SOMEBODY = /^ (?:paid|owes|says|said|rang|lent)(?: |$)/;

/** In small letters, where a verb or a thing stands: `does not grant`, `hope for joy`. */
export function isVerb(found: string, before: string, after: string): boolean {
  if (charClass[found.charCodeAt(0)] !== CLASS_LETTER || OF_SOMEBODY.test(after)) return false;
  return (
    (found === 'frank' && FRANK.test(before)) ||
    (IS_VERB.test(found) &&
      (BEFORE_VERB.test(before) || LET.test(before) || (HAS_OBJECT.test(after) && !IS_TOLD.test(before)))) ||
    (IS_THING.test(found) && BEFORE_THING.test(before))
  );
}
