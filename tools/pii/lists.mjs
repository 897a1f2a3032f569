/** Packs build/gazetteer.tsv, and the ordinary words of the training text, into the table of the model file. */
import { readFileSync } from 'node:fs';

/** The source of made sentences that stand in small letters or in capitals as a whole. */
const IN_ONE_CASE = 'templates in one case';
/** Names in small letters are no ordinary words. */
const CHATS = 'lines';
const TWO_OR_MORE_WORDS = /[ '’-]/;

/** Words that stand in lower case at least four times as often as with a capital. */
function commonWords(rows) {
  const lower = new Map();
  const upper = new Map();
  for (const row of rows) {
    if (row.o === IN_ONE_CASE || row.o === CHATS) continue;
    for (const [word] of row.t.matchAll(/\p{L}+/gu)) {
      const key = word.toLowerCase();
      const counts = word === key ? lower : upper;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...lower].filter(([word, n]) => n >= 5 && n >= 4 * (upper.get(word) ?? 0)).map(([word]) => word);
}

function flagsOf(lists) {
  return {
    FIRST: lists.LIST_FIRST_NAME,
    FREQUENT: lists.LIST_FREQUENT_FIRST_NAME,
    LAST: lists.LIST_LAST_NAME,
    CITY: lists.LIST_CITY,
    LARGE: lists.LIST_LARGE_CITY,
    SMALL: lists.LIST_SMALL_TOWN,
    REGION: lists.LIST_REGION,
    NRP: lists.LIST_NRP,
    TITLE: lists.LIST_TITLE,
    STREET: lists.LIST_STREET,
    ORGANIZATION: lists.LIST_ORGANIZATION,
    PRODUCT: lists.LIST_PRODUCT,
    CALENDAR: lists.LIST_CALENDAR,
    COMMON: lists.LIST_COMMON,
  };
}

/** [check values, flags], each a Uint16Array of `slots`. */
export function packLists(path, rows, slots, lists, hash) {
  const flagOf = flagsOf(lists);
  const found = new Map();
  const add = (key, flag) => found.set(key, (found.get(key) ?? 0) | flag);
  const entries = readFileSync(path, 'utf8').trimEnd().split('\n').map((line) => line.split('\t'));
  for (const word of commonWords(rows)) entries.push(['COMMON', word]);
  for (const [list, entry] of entries) {
    const words = entry.split(TWO_OR_MORE_WORDS).filter((word) => word !== '');
    const isPlace = list === 'CITY' || list === 'LARGE' || list === 'SMALL' || list === 'REGION';
    if (words.length === 1 || !isPlace) {
      for (const word of words) if (word.length > 1) add(lists.wordKey(word, 0, word.length), flagOf[list]);
      continue;
    }
    if (words.length > 4 || list === 'LARGE') continue;
    let key = hash.HASH_START;
    words.forEach((word, i) => {
      key = lists.addToKey(i === 0 ? key : hash.hashUnit(key, 0x20), word, 0, word.length);
    });
    add(lists.wordKey(words[0], 0, words[0].length), lists.LIST_PLACE_HEAD);
    add(hash.finishHash(key), lists.LIST_PLACE);
  }
  const checks = new Uint16Array(slots);
  const flags = new Uint16Array(slots);
  for (const key of [...found.keys()].sort((a, b) => a - b)) {
    const check = lists.checkOf(key);
    let slot = lists.slotOf(key, slots - 1);
    while (checks[slot] !== 0 && checks[slot] !== check) slot = (slot + 1) & (slots - 1);
    checks[slot] = check;
    flags[slot] |= found.get(key);
  }
  console.log(`lists: ${found.size} keys in ${slots} slots`);
  return [checks, flags];
}
