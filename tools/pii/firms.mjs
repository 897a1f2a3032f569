/**
 * Writes src/pii/model/firms.bin, the names of firms and brands that people and places may be mistaken for.
 *
 * usage: node tools/pii/firms.mjs FOLDER
 *
 * They are those of the name-suggestion-index of OpenStreetMap (BSD-3-Clause) and of simple-icons (CC0), which are
 * installed into the folder from npm, and those of `lists/firms.txt`. The file has a bit for each word that begins a name
 * (`model/firms.ts`), and then the key of each name, sorted, as 32-bit numbers in little-endian order; the lowest bit says that
 * nobody is called so.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compile } from './compile.mjs';

const PACKAGES = ['name-suggestion-index@8.0.20260918', 'simple-icons@16.37.0'];
/** The names of such shops are mostly those of people. */
const NAMES_OF_PEOPLE = /^brands\/(?:shop\/(?:books|bakery|optician|jewelry|funeral_directors)|office\/(?:estate_agent|lawyer))/;
const SHORTEST = 3;
/** Shorter words may be anybody's. */
const SHORTEST_ALONE = 5;
const PLAIN = /^[\p{Script=Latin}\p{M}\d '’&+.,!/-]+$/u;

const [, , folder] = process.argv;
if (folder === undefined) {
  console.error('usage: node tools/pii/firms.mjs FOLDER');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
execFileSync('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', folder, ...PACKAGES], { stdio: 'inherit' });

const load = compile('index.ts');
const { nameModel } = await load('model/names.js');
const { bitOfFirstWord, FIRST_WORDS_BYTES, keyOfFirm, IS_SURE } = await load('model/firms.js');
const { LIST_CALENDAR, LIST_CITY, LIST_COMMON, LIST_FIRST_NAME, LIST_LARGE_CITY, LIST_LAST_NAME, LIST_NRP, LIST_ORGANIZATION, LIST_PLACE, LIST_PLACE_HEAD, LIST_REGION, LIST_SMALL_TOWN, LIST_STREET, LIST_TITLE, wordKey } =
  await load('model/gazetteer.js');
const { lists } = nameModel();
const OTHERS =
  LIST_FIRST_NAME | LIST_LAST_NAME | LIST_CITY | LIST_LARGE_CITY | LIST_PLACE | LIST_PLACE_HEAD | LIST_REGION | LIST_SMALL_TOWN | LIST_NRP | LIST_ORGANIZATION | LIST_STREET | LIST_TITLE | LIST_CALENDAR;

/** Of the owner where the name ends in `'s`. */
function flagsOf(name) {
  const text = name.replace(/['’]s$/, '');
  return lists.find(wordKey(text, 0, text.length));
}
/** A word of no list, or several that do not begin with a first name and are no place. */
function isSure(name) {
  const words = name.split(' ');
  if (words.length === 1) return name.length >= SHORTEST_ALONE && (flagsOf(name) & (OTHERS | LIST_COMMON)) === 0;
  return (flagsOf(name) & OTHERS) === 0 && (flagsOf(words[0]) & LIST_FIRST_NAME) === 0;
}

/** Of ours: a word that is no first name, place or ordinary word, or several that are no first name and surname. */
function isSureOfOurs(name) {
  const words = name.split(' ');
  if (words.length === 1) return (flagsOf(name) & ((OTHERS & ~LIST_LAST_NAME) | LIST_COMMON)) === 0;
  return words.length > 2 || (flagsOf(words[0]) & LIST_FIRST_NAME) === 0 || (flagsOf(words[1]) & LIST_LAST_NAME) === 0;
}

const keys = new Map();
const firstWords = new Uint8Array(FIRST_WORDS_BYTES);
function add(name, sure) {
  if (name === undefined || name.length < SHORTEST || !PLAIN.test(name) || /^[\d .,]+$/.test(name)) return;
  const key = keyOfFirm(name, 0, name.length);
  keys.set(key, keys.get(key) || sure);
  const bit = bitOfFirstWord(name, 0);
  firstWords[bit >> 3] |= 1 << (bit & 7);
}

const index = JSON.parse(readFileSync(join(folder, 'node_modules/name-suggestion-index/dist/json/nsi.json'), 'utf8'));
for (const [path, { items }] of Object.entries(index.nsi)) {
  if (!path.startsWith('brands/') || NAMES_OF_PEOPLE.test(path)) continue;
  for (const { displayName, tags = {} } of items)
    for (const name of new Set([displayName, tags.brand, tags['brand:en'], tags.name])) if (name) add(name, isSure(name));
}
const icons = createRequire(join(folder, 'package.json')).resolve('simple-icons');
for (const { title } of Object.values(await import(pathToFileURL(icons).href))) if (title) add(title, isSure(title));
const own = readFileSync(new URL('./lists/firms.txt', import.meta.url), 'utf8');
for (const line of own.split('\n')) {
  if (line.startsWith('#')) continue;
  for (const name of line.split(', ').filter(Boolean)) add(name.replace(/[?!]$/, ''), name.endsWith('!') || (!name.endsWith('?') && isSureOfOurs(name)));
}

const sorted = [...keys].map(([key, sure]) => (key & ~IS_SURE) | (sure ? IS_SURE : 0)).sort((a, b) => a - b);
const bytes = Buffer.alloc(sorted.length * 4);
sorted.forEach((key, at) => bytes.writeInt32LE(key, at * 4));
writeFileSync(new URL('../../src/pii/model/firms.bin', import.meta.url), Buffer.concat([firstWords, bytes]));
console.log(`${sorted.length} names, ${[...keys.values()].filter(Boolean).length} of them sure`);
