/** What stands near telephone numbers: words for telephones, and what people say when they give a number. */
import { ContextWords } from '../context-words.js';
import { anyOf, readWords } from '../words/words.js';

const { words, verbs, pronouns } = readWords<'words' | 'verbs' | 'pronouns'>('phones');

/** Verbs that include who is asked to call: `richiamatemi`, `llámanos`, `rappelez-moi`. */
const TO_CALL = Object.entries(verbs).flatMap(([language, all]) =>
  all.split('|').flatMap((verb) => pronouns[language]!.split('|').map((pronoun) => verb + pronoun)),
);

export const PHONE_WORDS = new ContextWords([...new Set([...anyOf(words).split('|'), ...TO_CALL])]);
