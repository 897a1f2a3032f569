/** Names in small letters that no list has, told by their endings: `jucélia`, `valdemir`, `grzesiek`, `oliwka`. */

/** Of names that Brazilians make up, and words that end like them. */
const BRAZILIAN =
  /(?:mir|[vnr]aldo|ildo|[lnbr]berto|[ie]lson|[ae]rson|[iys]sson|élia|c[eií]lia|cleide|neide|cleia|lene|[^t]ilda|ilza|euza|[nvl]eusa|ivone|idete|udete|inete|zete|enice|unice|dalva|andir|acir|ismar|demar|iney|irley|isley|ilaine|islaine|aiane|iscila|uelen|ianny|ayane)$/u;
const NO_BRAZILIAN = /^(?:dormir|premir|gemir|espremir|assumir|resumir|consumir|presumir|camélia)$/u;
/** Of the short forms of Polish first names, and what else people are there. */
const POLISH =
  /(?:[sz]iek|szek|ciek|dziek|łek|[rnm]ek|dek|zik|sik|śka|źka|wka|olka|jka|anka|inka|enka|usia|asia|osia|esia|zia|sza|ulka|uś|aś|oś|iś)$/u;
const NO_POLISH =
  /^(?:dziadek|członek|synek|wnuczek|wujek|misiek|kotek|skarbek|piesek|panienka|koleżanka|znajomka|niańka|opiekunka|mieszkanka|dziewczynka|kochanka|sprzątaczka|kuzynka|mamusia|tatuś|kicia|dzisiaj|ktoś|coś|jakaś|jakiś|któraś|któryś|gdzieś|kiedyś|poranek|wtorek|domek|zamek|statek|rynek|budynek|rachunek|przystanek|obiadek|wypadek|początek|komórka|żarówka|taksówka|placówka|stołówka|wtyczka|piosenka|łazienka|godzinka|rodzinka|ekipka|firemka|drukarenka|bramka|lodówka|pralka|wiertarka)$/u;

export function isBrazilianForm(word: string): boolean {
  return BRAZILIAN.test(word) && !NO_BRAZILIAN.test(word);
}

export function isPolishForm(word: string): boolean {
  return POLISH.test(word) && !NO_POLISH.test(word);
}
