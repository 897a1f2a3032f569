/** Things to buy and single dishes by where they are from: `a French cookbook`, `fromage suisse`. They say nothing of anybody. */

import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';

/** Up to one word between: `Danish salted butter`. What a kitchen or a shop is (`Italian food`) is left to the model. */
const GOODS_BEHIND = lean(
  `^(?:[ -]\\p{Ll}[\\p{Ll}-]+)? (?:${[
    'francs?|dollars?|stews?|[Oo]ats|pounds?|kron(?:er|or|a|e)|pesos?|rupees?|lira|yen|yuan|Franken|cook ?books?|recipes?|coffees?|teas?|cheeses?|butter|beers?|lagers?|breads?|chocolates?|sausages?|cakes?|pastries|yogh?urts?|olives?|olive oil|salads?|soups?|biscuits|cookies|meatballs|omelettes?|rarebit|delight|maples?|violets?|goose|geese|cotton|cats?|shirts?|waffles?|pancakes|dumplings|noodles|rice|ham|bacon|cars?|bikes?|shoes?|boots?|rugs?|carpets?|watch(?:es)?|furniture|sofas?|suits?|scarf|scarves|oats|porridge|leather|linen|silk|porcelain|knives|knife|sauna|massages?|manicure|plugs?|sockets?|number plates?',
    'Käse|Kaffee|Bier|Brot|Butter|Schokolade|Wurst|Würste|Salat|Suppe|Kuchen|Kochbuch|Kochbücher|Rezepte?|Uhr|Uhren|Auto|Autos|Möbel|Teppiche?|Schuhe|Messer|Oliven|Olivenöl|[Ss]chnitzel|[Ww]ürstchen|[Kk]nödel|[Gg]ulasch|[Ee]intopf|[Aa]uflauf|[Zz]opf|salat|suppe|käse|brot|bier|wurst|kuchen|kaffee|tee|rezepte?',
    'kaas|koffie|bier|brood|boter|chocolade|worst|kookboek|horloge|auto|schoenen|tapijt',
  ].join('|')})(?!\\p{L})(?!['’]s)`,
  'u',
);
/** In Romance languages the goods stand before. */
const GOODS_BEFORE = lean(
  /(?<!\p{L})(?:fromages?|cr[êe]pes?|crèmes?|galettes?|sauces?|soupes?|tartes?|vinhos?|vinos?|vins?|vin[oi]|azeites?|aceites?|oli[oi]|jamón|jamones|jambons?|presuntos?|prosciutt[oi]|bacalhau|arroz|riz|riso|thés?|chás?|salades?|omelettes?|cafés?|bières?|pains?|beurre|chocolats?|gâteaux?|recettes?|voitures?|montres?|chaussures|tapis|meubles?|livre de cuisine|huile d['’]olive|quesos?|tortillas?|ensaladas?|ensaladilla|montaña|cafés?|cervezas?|pan|mantequilla|recetas?|coches?|carros?|relojes|reloj|zapatos|muebles|alfombras?|formaggi[o]?|insalat[ae]|caffè|birr[ae]|pane|burro|cioccolat[oi]|ricett[ae]|macchin[ae]|auto|orologi[o]?|scarpe|mobili|tappet[oi]|queijos?|bolos?|torradas?|cervejas?|pão|manteiga|receitas?|relógios?|sapatos|móveis|tapetes?) $/iu,
);
/** What bakers and butchers sell, counted: `20 berliner`, `kauf 6 wiener`. */
const BAKED =
  /^(?:berliner|amerikaner|wiener|frankfurter|hamburger|krakauer|debreziner|nürnberger|thüringer|kasseler|linzer|florentiner)n?$/u;
const COUNTED = lean(
  /(?:\d|(?<!\p{L})(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|zwanzig|dreißig|einen?|ein paar|paar|stück|dutzend|noch|lieber)) $/iu,
);
/** `the Czech ones`: strings, files or dishes. Of people one tells how many. */
const ONES = /^ ones?(?![\p{L}])/u;
const THE = /(?<!\p{L})[Tt]he $/u;
const BEHIND_UNITS = 48;
const BEFORE_UNITS = 18;

/** Whether a nationality is that of something one buys or eats. */
export function isOfGoods(text: string, { start, end }: NameSpan): boolean {
  if (GOODS_BEHIND.test(text.slice(end, end + BEHIND_UNITS))) return true;
  if (ONES.test(text.slice(end, end + 6)) && THE.test(text.slice(Math.max(0, start - 5), start))) return true;
  if (
    BAKED.test(text.slice(start, end)) &&
    COUNTED.test(text.slice(Math.max(0, start - BEFORE_UNITS), start))
  )
    return true;
  return (
    /^\p{Ll}/u.test(text.slice(start, end)) &&
    GOODS_BEFORE.test(text.slice(Math.max(0, start - BEFORE_UNITS), start))
  );
}
