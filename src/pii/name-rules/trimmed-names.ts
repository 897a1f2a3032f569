/** A person without the words before and behind the name that the model takes for a part of it. */

import { type Gazetteer, LIST_COMMON, wordKey } from '../model/gazetteer.js';
import { endingAt, type NameSpan, startingAt } from '../name-span.js';
import { firstWords, hasSmallWord, wordsOf } from './words-beside.js';

/** Words in small letters that no name goes on with: `chiara the demo`. */
const GOES_ON =
  / (?:the|an?|to|for|at|is|was|has|had|will|said|says|about|from|with|on|if|when|who|that|this|my|your|our|his|her|their|its|it|he|she|we|you|they|and|or|but|not|can|could|should|please)(?: .*)?$/u;
/** Words that begin a sentence and no name, where the model knows their language little. */
const FIRST_WORDS =
  /^(?:Sheikh|Olá|Oi|Ela|Ele|Eles|Elas|Prezad[oa]|Car[oa]|Hoi|Hallo|Geachte|Beste|Heer|Mevrouw|Cześć|Szanown[yae]|Panie|Pani|Pan|Proszę|Moja|Mój|Minha|Meu|Mijn|Ons|Onze|Viajo|Nasci|Moro|Senhora?|Dona)(?: |$)/u;
const HAS_FIRST_WORD = firstWords.add(wordsOf(FIRST_WORDS));
/** `Ada Lind - ada dot lind`. */
const DASH_BEHIND = /(?<=^\p{Lu}.*) - \p{Ll}.*$/u;
/** A title is no part of the name. */
const TITLE = /^(?:Mr|Mrs|Ms|Dr|Prof)\.? (?=\p{Lu})/u;
const HAS_TITLE = firstWords.add(wordsOf(TITLE));
/** `Matilde em Faro`, in Portuguese: somebody in a town. */
const PLACE_BEHIND = / em \p{Lu}.*$/u;
/** `Ratna de sleutel`: an article and a thing behind a name with a capital. */
const ARTICLE_BEHIND = / (?:de|het|een|la|le|les|el|los|las|il|lo|die|das|der|den) \p{Ll}{3,}.*$/u;
/** `Sjoerd van de verhuur`: what follows is no surname. */
const PARTICLE_LAST = / (?:(?:van|von) de[rn]?|van|von|de(?: la)?|der|den|da|dos?|di)$/u;
/** `Sunny spells`: a word in small letters behind one with a capital. */
const ORDINARY_BEHIND = /^\p{Lu}.* (?<word>\p{Ll}{3,})$/u;

/** A person without the words before and behind that are no part of the name. Undefined if nothing is left. */
export function trimPerson(text: string, given: NameSpan, lists: Gazetteer): NameSpan | undefined {
  let span = given;
  while ((firstWords.at(text, span.start) & HAS_FIRST_WORD) !== 0) {
    const first = FIRST_WORDS.exec(text.slice(span.start, span.end))?.[0];
    if (first === undefined) break;
    span = startingAt(span, span.start + first.length);
    if (span.start >= span.end) return undefined;
  }
  if (!text.slice(span.start, span.end).includes(' ')) return span;
  const isTitled = (firstWords.at(text, span.start) & HAS_TITLE) !== 0;
  const title = isTitled ? (TITLE.exec(text.slice(span.start, span.end))?.[0].length ?? 0) : 0;
  if (title > 0) span = startingAt(span, span.start + title);
  const found = text.slice(span.start, span.end);
  if (!hasSmallWord(found)) return span;
  const place = PLACE_BEHIND.exec(found) ?? (/^\p{Lu}/u.test(found) ? ARTICLE_BEHIND.exec(found) : null);
  if (place !== null) return endingAt(span, span.start + place.index);
  const particle = PARTICLE_LAST.exec(found);
  if (particle !== null && /^\p{Lu}/u.test(found)) return endingAt(span, span.start + particle.index);
  const ordinary = ORDINARY_BEHIND.exec(found)?.groups?.word;
  if (ordinary !== undefined && (lists.find(wordKey(ordinary, 0, ordinary.length)) & LIST_COMMON) !== 0)
    return endingAt(span, span.end - ordinary.length - 1);
  const dash = DASH_BEHIND.exec(found)?.index;
  if (dash !== undefined) return endingAt(span, span.start + dash);
  if (!/^\p{Ll}/u.test(found)) return span;
  const rest = GOES_ON.exec(found);
  return rest === null ? span : endingAt(span, span.start + rest.index);
}
