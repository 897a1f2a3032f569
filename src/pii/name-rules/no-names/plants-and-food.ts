import { lean } from '../../patterns/lean.js';
import { haveListed, listsBehind, mayBeListed, wordsBehind } from '../words-beside.js';

/** Plants, spices and what is made of them: words that are first names, too, and nobody's beside such things. */
const PLANTS = new Set(
  (
    'róża roza rosa rose roos rosas rosen rozen lilia lilie lilien iris irys dahlia dalia margarita marguerite margherita erika violetta violeta viola violet jasmin jasmine jazmín azalea camelia camellia magnolia hortensia ' +
    'begonia petunia sakura daisy lily poppy heather holly ivy hazel willow laurel basil rosemary olive sage ginger clementine cherry saffron fern clover marigold juniper sorrel myrtle rowan aspen bryony tansy ' +
    'pepper anise cassia maple honey almond peach apple coco plum primrose zinnia veronica valerian angelica senna melissa mimosa lavender chamomile thyme bay ash linden hyacinth'
  ).split(' '),
);
haveListed(PLANTS);
const OF_PLANTS =
  'tea|rice|oils?|bread|bush(?:es)?|petals?|pads?|berr(?:y|ies)|leaf|leaves|seeds?|chains?|wine|water|pesto|potatoes|juice|jam|jelly|trees?|branch(?:es)?|blossoms?|blooms?|hedge|gardens?|beds?|flowers?|stems?|roots?|plants?|ale|beer|syrup|sauce|soup|scent|ice cream|cake|cookies|biscuits|salad|butter|powder|extract|nuts?|wood|hips?|vines?|wreath|bouquet|soap|candles?|essence|chicken|dressing|tapenade|groves?|tomatoes|shots?|latte|honey|cream|spray|mayo|focaccia|covers|grows|climbs|sticks?|spice|grove|cordial|infusion|stuffing|sausages?|crackers?|pepper|pie|tart|smoothie|lemonade|orchard|pollen|scan(?:s|ner)?|skin|eyed|eyes|paint';
const PLANT_BEHIND = lean(`^ (?:${OF_PLANTS})(?!\\p{L})`, 'u');
/** Taken for a surname: `jasmine rice`. */
const PLANT_INSIDE = lean(`^\\p{L}+ (?:${OF_PLANTS})$`, 'u');
/** `a sprig of basil`, `cup of ginger`. */
const MEASURE = lean(
  /(?<!\p{L})(?:sprigs?|bunch(?:es)?|cups?|hint|pinch|handful|leaf|leaves|scent|smell|pots?|slices?|pods?|stems?|bouquet|wreath|(?:tea)?spoons?|tbsp|tsp|oil|extract|grams?|fresh|dried|chopped|ground|pickled|roasted|candied|wild|crushed|powdered|planted|planting|pruned|Strauß|Zweig|Bund|brin|feuilles|bouquet|ramita|hojas|rametto|foglie|raminho|folhas|takje|gałązka|listki) (?:(?:of|de|d['’]|di|van|z) ?)?$/iu,
);
const GROWS = lean(
  /(?<!\p{L})(?:zakwit\p{Ll}+|kwit\p{Ll}+|ogr[oó]d\p{Ll}*|blüh\p{Ll}*|Garten|Topf|Blüte\p{Ll}*|fleuri\p{Ll}*|jardin|flore\p{Ll}+|jardín|macet\p{Ll}+|fior\p{Ll}+|giardino|vaso|bloei\p{Ll}*|tuin|bloom\p{Ll}*|blossom\p{Ll}*|garden|petals?|pruned?|watered|hedge|flower ?bed)(?!\p{L})/u,
);
const BLOOMS = lean(
  /^(?: tree| trees)? (?:is |are |was |were |in full |in )?(?:bloom(?:s|ing|ed)?|blossom(?:s|ing|ed)?|flower(?:s|ing)|wilt(?:s|ed|ing)?|sprout(?:s|ed|ing)?)(?!\p{L})|^ (?:blüht|blühen|verblüht|fleurit|fleurissent|florece|florecen|fiorisce|fioriscono|floresce|bloeit|bloeien|kwitnie|kwitną)(?!\p{L})/u,
);
const HAS_BLOOM = wordsBehind.add(
  'trees?|is|are|was|were|in|full|bloom(?:s|ing|ed)?|blossom(?:s|ing|ed)?|flower(?:s|ing)|wilt(?:s|ed|ing)?|sprout(?:s|ed|ing)?|blüht|blühen|verblüht|fleurit|fleurissent|florece|florecen|fiorisce|fioriscono|floresce|bloeit|bloeien|kwitnie|kwitną',
);
const NEAR_UNITS = 40;

/** Whether the words beside [start, end) say that it is a plant, or food. */
export function isPlant(text: string, start: number, end: number, found: string): boolean {
  if (!found.includes(' ')) {
    if (!mayBeListed(text, start) || !PLANTS.has(found.toLowerCase()))
      return (listsBehind(text, end) & HAS_BLOOM) !== 0 && BLOOMS.test(text.slice(end, end + NEAR_UNITS));
    const before = text.slice(Math.max(0, start - NEAR_UNITS), start);
    const after = text.slice(end, end + NEAR_UNITS);
    return (
      BLOOMS.test(after) ||
      PLANT_BEHIND.test(after) ||
      MEASURE.test(before) ||
      GROWS.test(`${before} ${after}`)
    );
  }
  return (
    mayBeListed(text, start) &&
    PLANTS.has(found.slice(0, found.indexOf(' ')).toLowerCase()) &&
    PLANT_INSIDE.test(found)
  );
}

/** Sausages and cakes that are called like the people of a town. */
const CALLED_LIKE_TOWNS =
  /^(?:Berliner|Wiener|Hamburger|Frankfurter|Krakauer|Amerikaner|Linzer|Nürnberger|Debreziner|Thüringer|Kasseler|Regensburger|Cheeseburger|Pariser|Römer)[ns]?$/u;
const OF_MEALS = lean(
  /(?<!\p{L})(?:Imbiss|Küche|Pommes|Senf|Ketchup|Bäcker\p{Ll}*|Metzger\p{Ll}*|Konditor\p{Ll}*|Kuchen|Gebäck|Teig|Rezepte?|Wurst|Würst\p{Ll}*|[Gg]rill\p{Ll}*|Brötchen|Marmelade|Puderzucker|essen|esse|isst|gegessen|\p{Lu}\p{Ll}*essen|Frühstück|Mittag|backen?|gebacken|gefüllte?|Schnitzel|Kartoffel\p{Ll}*|Sauerkraut|Hunger|lecker\p{Ll}*|Kaffee|food|eat|eats|eating|ate|bak(?:e|ed|ery|ing)|sausages?|buns?|dough(?:nuts?)?|donuts?|fries|mustard|recipes?|menu|kitchen|lunch|grill(?:ed)?|snacks?|fast food|restaurant|saucisses?|manger|salchichas?|comer|comida|würstel|mangiare|salsicce|eten|worst|kiełbas\p{Ll}*|jeść)(?!\p{L})/u,
);
const MEAL_UNITS = 80;

/** Whether a nationality, or what looks like one, is a dish: `zwei Wiener mit Senf`. An adjective has its noun behind it. */
export function isFood(text: string, start: number, end: number): boolean {
  if (!CALLED_LIKE_TOWNS.test(text.slice(start, end))) return false;
  const after = text.slice(end, end + MEAL_UNITS);
  if (/^ \p{Lu}\p{Ll}/u.test(after)) return false;
  return OF_MEALS.test(text.slice(Math.max(0, start - MEAL_UNITS), start)) || OF_MEALS.test(after);
}
