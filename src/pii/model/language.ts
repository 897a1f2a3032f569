/** The language of a text, and the language whose names are read for it. */
import { lean } from '../patterns/lean.js';

/** Words that are frequent in a language, and rare in most of the others. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'the and of to is in that it for was with are this my you have from what please on at by not be he she they we our your has been will would can could who how',
  de: 'der die und das ist nicht ich zu mit ein eine auf für den von sich bitte wie hat dem im es des auch aus bei wir sie oder wird war nach einen einer noch kann',
  es: 'el los las que y del por una está para con mi su lo como pero más es yo gracias en un se al no ha fue hay muy ya esta este sus sobre también',
  fr: 'le les des et est une pour dans que je vous qui sur pas avec mon au du ce nous la un en il elle ne plus sont aux par cette ses ont été mais leur',
  it: 'il che di è non una per sono con gli della mi ho anche del nel alla ma più questo la un si dei delle ha come dal al nella ci essere stato lo da',
  pt: 'o os que não uma para com em do da meu você por mais ao foi é minha são obrigado um no na se dos das como mas ou pelo pela seu sua isso também',
  nl: 'het een van ik niet dat op te met zijn voor aan mijn er maar om ook als naar wij de en in is die deze bij heeft wordt worden door uit nog hebben',
  pl: 'nie się na jest z w że mam jak od po dla jestem moja mój proszę przez był oraz jego która który są było tylko',
  sv: 'och att det i på är som en för av med den till inte har jag om ett de han var vi men från så kan när ut skulle hon eller också sig',
  da: 'og at det i på er som en for af med den til ikke har jeg om et de han var vi men fra så kan når ud skulle hun eller også sig der blev hvor',
};
/** Letters of which one is as good as a word, and the languages that have them. */
const LETTERS: readonly [letters: RegExp, languages: readonly string[]][] = [
  [/[æø]/, ['da']],
  [/å/, ['da', 'sv']],
  [/[äö]/, ['de', 'sv']],
  [/[üß]/, ['de']],
  [/[ñ¿¡]/, ['es']],
  [/[ãõ]/, ['pt']],
  [/[çàâêîôûœ]/, ['fr', 'pt']],
  [/[èùì]/, ['it', 'fr']],
  [/[ąęłśżźćń]/, ['pl']],
];
const LANGUAGES = Object.keys(WORDS);
/** Of each word, the languages in which it is frequent. */
const FREQUENT = new Map<string, number[]>();
for (const [index, language] of LANGUAGES.entries()) {
  for (const word of WORDS[language]!.split(' ')) {
    const languages = FREQUENT.get(word);
    if (languages === undefined) FREQUENT.set(word, [index]);
    else languages.push(index);
  }
}
/** Units that are looked at. */
const LOOKED_AT = 1000;
const WORD = lean(/\p{L}+/gu);

/** The language with the most of its frequent words in the beginning of `text`; English where none has any. */
export function guessLanguage(text: string): string {
  const start = text.slice(0, LOOKED_AT).toLowerCase();
  const votes = new Float64Array(LANGUAGES.length);
  for (const word of start.match(WORD) ?? []) {
    const languages = FREQUENT.get(word);
    // A word of many languages tells less.
    if (languages !== undefined) for (const index of languages) votes[index]! += 1 / languages.length;
  }
  for (const [letters, languages] of LETTERS)
    if (letters.test(start))
      for (const one of languages) votes[LANGUAGES.indexOf(one)]! += 1 / languages.length;
  let best = 0;
  for (let index = 1; index < votes.length; index++) if (votes[index]! > votes[best]!) best = index;
  return LANGUAGES[best]!;
}

/** Languages without a model of their own, and the one whose names and words are nearest. */
const NEAREST: Readonly<Record<string, string>> = {
  gl: 'pt',
  ca: 'es',
  eu: 'es',
  ro: 'it',
  af: 'nl',
  lb: 'de',
  no: 'da',
  nb: 'da',
  nn: 'da',
  is: 'da',
  cs: 'pl',
  sk: 'pl',
  oc: 'fr',
  br: 'fr',
  ht: 'fr',
};

/** The language whose model reads names in `language`: itself, the nearest, or English. */
export function modelLanguage(language: string, models: readonly string[]): string {
  return models.includes(language) ? language : (NEAREST[language] ?? 'en');
}
