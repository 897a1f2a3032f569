import { lean } from '../patterns/lean.js';

/** The language of a text, and the language whose names are read for it. */

/** Words that are frequent in one of these languages and rare in the others. */
const WORDS: Record<string, readonly string[]> = {
  en: 'the and of to is in that it for was with are this my you have from what please'.split(' '),
  de: 'der die und das ist nicht ich zu mit ein eine auf für den von sich bitte wie hat dem'.split(' '),
  es: 'el los las que y del por una está para con mi su lo como pero más es yo gracias'.split(' '),
  fr: 'le les des et est une pour dans que je vous qui sur pas avec mon au du ce nous'.split(' '),
  it: 'il che di è non una per sono con gli della mi ho anche del nel alla ma più questo'.split(' '),
  pt: 'o os que não uma para com em do da meu você por mais ao foi é minha são obrigado'.split(' '),
  nl: 'het een van ik niet dat op te met zijn voor aan mijn er maar om ook als naar wij'.split(' '),
  pl: 'nie się na jest z w że do to mam jak od po dla jestem moja mój proszę przez był'.split(' '),
};
/** Units that are looked at. */
const LOOKED_AT = 2000;
const LETTERS = lean(/\p{L}+/gu);

/** The language with the most of its frequent words in the beginning of `text`; English where none has any. */
export function guessLanguage(text: string): string {
  const words = text.slice(0, LOOKED_AT).toLowerCase().match(LETTERS) ?? [];
  let best = 'en';
  let most = 0;
  for (const [language, frequent] of Object.entries(WORDS)) {
    const count = words.reduce((sum, word) => sum + Number(frequent.includes(word)), 0);
    if (count > most) {
      most = count;
      best = language;
    }
  }
  return best;
}

/** Languages without a model of their own, and the one whose names and words are nearest. */
const NEAREST: Record<string, string> = {
  pt: 'es',
  gl: 'es',
  ca: 'es',
  eu: 'es',
  ro: 'it',
  nl: 'de',
  af: 'de',
  lb: 'de',
  da: 'de',
  sv: 'de',
  no: 'de',
  nb: 'de',
  nn: 'de',
  oc: 'fr',
  br: 'fr',
  ht: 'fr',
};

/** The language whose model reads names in `language`: itself, the nearest, or English. */
export function modelLanguage(language: string, models: readonly string[]): string {
  return models.includes(language) ? language : (NEAREST[language] ?? 'en');
}
