/**
 * How well the PII detector finds, and what it costs. Run by `npm run bench -- pii`.
 *
 * usage: npm run bench -- pii [--own FOLDER] [--gathered FOLDER] [--without PART,…] [--language auto] [--presidio] [--only accuracy|made|false|cost] [--seed N]
 *
 * --own has the development files, by default ../shared/pii beside the checkout, or $SLUICE_SHARED/pii. --gathered has what
 * tools/pii/gather.py made ($SLUICE_PII_TEXT): text that the detector has not learnt (`dev`), text of which only these sums
 * are read (`locked`), and text that nobody marked (`plain`, and `plain-locked`, of which only sums are read). --presidio
 * measures Presidio on the same texts. --without leaves parts of the detector out.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NAMES, printNames, printOwn, printReliability, scoresBy } from './pii/accuracy.mjs';
import { compile } from './pii/compile.mjs';
import { memory, timeOfLongTexts, timeOfMessages, timeOfProse } from './pii/cost.mjs';
import { falseInCode, falseInText } from './pii/false-findings.mjs';
import { printMade } from './pii/made.mjs';
import { findPresidio } from './pii/presidio.mjs';
import { gatheredTexts, ownTexts } from './pii/texts.mjs';
import { scoreVectors } from './pii/vectors.mjs';

const beside = fileURLToPath(new URL('../../shared', import.meta.url));
const { values } = parseArgs({
  options: {
    own: { type: 'string', default: join(process.env.SLUICE_SHARED ?? beside, 'pii') },
    gathered: { type: 'string', default: process.env.SLUICE_PII_TEXT ?? '' },
    without: { type: 'string', default: '' },
    language: { type: 'string' },
    presidio: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
  allowPositionals: true,
});
const hasOwn = existsSync(join(values.own, 'dev.jsonl'));
if (!hasOwn) console.log(`No development files in ${values.own}: give their folder with --own.`);
if (values.gathered === '') console.log('No gathered text: give its folder with --gathered.');
const isDue = (part) => values.only === undefined || values.only === part;

const { createDetector } = await compile('index.ts')('index.js');
const without = values.without.split(',').filter((part) => part !== '');
const detectors = new Map();
function detectorFor(language, options = {}) {
  const key = `${language} ${JSON.stringify(options)}`;
  if (!detectors.has(key))
    detectors.set(key, createDetector({ language: values.language ?? language, without, ...options }));
  return detectors.get(key);
}
const typed = ({ start, end, entityType, score }) => ({ start, end, type: entityType, score });
const detect = ({ text, language }) => detectorFor(language).detectSync(text).map(typed);

const own = hasOwn ? ownTexts(values.own) : [];
const [dev, locked] = ['dev', 'locked'].map((part) => gatheredTexts(values.gathered, part));

if (isDue('accuracy')) {
  const presidio = values.presidio ? await findPresidio() : undefined;
  console.log('== own: development files, learnt from');
  const types = [...new Set(own.flatMap(({ marks }) => marks.map(({ type }) => type)))].filter(
    (type) => type !== '_IGNORE',
  );
  printOwn(scoresBy(({ source, language }) => `${source} ${language}`, own, types, detect, presidio));
  for (const [name, texts] of [
    ['dev', dev],
    ['locked', locked],
  ]) {
    console.log(`== ${name}, by source`);
    const tables = scoresBy(
      ({ source, language }) => `${language} ${source}`,
      texts,
      NAMES,
      detect,
      presidio,
    );
    printNames(tables);
    console.log(`== ${name}, by language`);
    printNames(joined(tables));
    console.log(`== ${name}: what scores mean`);
    printReliability(tables);
  }
  if (hasOwn)
    scoreVectors(values.own, (language, type) =>
      detectorFor(language, { entities: [type], scoreThreshold: 0.01 }),
    );
}
if (isDue('made')) await printMade(values.seed, detect);
if (isDue('false')) {
  const clean = own.filter(({ spans }) => spans.length === 0);
  const flagged = clean.filter((row) => detect(row).length > 0);
  console.log(`own lines without personal data: ${clean.length}, with a false finding: ${flagged.length}`);
  for (const part of ['plain', 'plain-locked'])
    falseInText(part, gatheredTexts(values.gathered, part), detect);
  falseInCode(detect);
}
if (isDue('cost')) {
  const messages = own.filter(({ source }) => source === 'chat.dev');
  timeOfMessages(messages, detect);
  timeOfProse([...dev, ...locked], detect);
  const prose = dev
    .filter(({ language }) => language === 'en')
    .map(({ text }) => text)
    .join('\n')
    .slice(0, 1e6);
  timeOfLongTexts(
    messages.map(({ text }) => text),
    prose,
    detectorFor('en'),
  );
  memory(new URL('../tools/pii/dist/index.js', import.meta.url).href);
}

/** The sources of each language together. */
function joined(tables) {
  const found = new Map();
  for (const [name, { ours, theirs, hasNames }] of tables) {
    const language = name.slice(0, 2);
    const all = found.get(language);
    if (all === undefined) found.set(language, { ours: copyOf(ours), theirs: copyOf(theirs), hasNames });
    else {
      all.ours.merge(ours);
      all.theirs.merge(theirs);
    }
  }
  return found;
}

function copyOf(scores) {
  const copy = new scores.constructor();
  copy.merge(scores);
  return copy;
}
