/** Packs build/clusters.tsv into the table of the model file. */
import { readFileSync } from 'node:fs';

/** What of a path is branches; above stands the number of the language, from 1. */
const PATH_BITS = 0xfffff;

/** What of a word's two spellings has no path of its own has that of the other. */
function readWords(path, languages) {
  const words = new Map();
  const paths = new Map([[0, 0]]);
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const [language, word, given] = line.split('\t');
    const full = (Number(given) & PATH_BITS) | ((languages.indexOf(language) + 1) * (PATH_BITS + 1));
    if (!paths.has(full)) paths.set(full, paths.size);
    const lower = word.toLowerCase();
    const key = `${language}\t${lower}`;
    const entry = words.get(key) ?? { upper: 0, lower: 0 };
    words.set(key, entry);
    const capital = word[0] !== lower[0];
    // The first spelling is the most frequent one: `Paris` before `PARIS`.
    if (capital && entry.upper === 0) entry.upper = paths.get(full);
    if (!capital && entry.lower === 0) entry.lower = paths.get(full);
  }
  for (const entry of words.values()) {
    entry.upper ||= entry.lower;
    entry.lower ||= entry.upper;
  }
  return { words, paths: Int32Array.from(paths.keys()) };
}

export function packClusters(path, slots, { checkOf, slotOf }, { HASH_START, finishHash, hashText, hashUnit, mix }, languages) {
  const { words, paths } = readWords(path, languages);
  const checks = new Uint16Array(slots);
  const upper = new Uint16Array(slots);
  const lower = new Uint16Array(slots);
  for (const [entry, found] of words) {
    const [language, word] = entry.split('\t');
    let hash = HASH_START;
    for (let at = 0; at < word.length; at++) hash = hashUnit(hash, word.charCodeAt(at));
    const key = mix(finishHash(hash), hashText(language));
    const check = checkOf(key);
    let slot = slotOf(key, slots - 1);
    while (checks[slot] !== 0 && checks[slot] !== check) slot = (slot + 1) & (slots - 1);
    if (checks[slot] === check) continue;
    checks[slot] = check;
    upper[slot] = found.upper;
    lower[slot] = found.lower;
  }
  console.log(`clusters: ${words.size} words, ${paths.length} paths in ${slots} slots`);
  return { checks, upper, lower, paths };
}
