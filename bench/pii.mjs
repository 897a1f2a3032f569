/**
 * Accuracy of the PII detector on the development files by type and language, beside what Presidio finds in the same
 * files, its false alarms in source code, its speed and memory. Run by `npm run bench -- pii`.
 *
 * usage: npm run bench -- pii [folder of the data]
 *
 * The folder (default ../shared/pii beside the checkout, or $SLUICE_SHARED/pii) holds the files and score.py, which
 * needs python3. Presidio is installed from PyPI into the user's cache, or is that of the Python in $PRESIDIO_PYTHON,
 * which may have models of spaCy. Messages are timed one by one in a process that is warm.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { installedCode } from '../test/support/installed-code.ts';
import { preparePython } from '../test/support/python-environment.ts';
import { compile } from '../tools/pii/compile.mjs';

const beside = fileURLToPath(new URL('../../shared', import.meta.url));
const data = process.argv[2] ?? join(process.env.SLUICE_SHARED ?? beside, 'pii');
if (!existsSync(join(data, 'score.py'))) {
  console.error(`No development data in ${data}: give the folder as an argument.`);
  process.exit(1);
}
const MIB = 1_048_576;
/** Of this release; the models of spaCy that it reads names with are on no registry of packages. */
const PRESIDIO = 'presidio-analyzer==2.2.366';
/** What is told of Presidio with its medium model on text like that of uner-ewt-dev, where no model is at hand. */
const PRESIDIO_MEDIUM = { PERSON: 0.817, LOCATION: 0.764 };
const NAMES = ['PERSON', 'LOCATION', 'NRP'];
/** The answers to a file, by its name. */
const answered = new Map();
const load = compile('index.ts');
const scratch = mkdtempSync(join(tmpdir(), 'pii-'));
const read = (name) =>
  readFileSync(join(data, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

try {
  const { createDetector } = await load('index.js');
  const detectors = new Map();
  const detectorFor = (language, entities, scoreThreshold) => {
    const key = `${language} ${entities} ${scoreThreshold}`;
    if (!detectors.has(key)) detectors.set(key, createDetector({ language, entities, scoreThreshold }));
    return detectors.get(key);
  };
  const presidio = await findPresidio();
  compare('dev.jsonl', detectorFor, presidio);
  compare('chat.dev.jsonl', detectorFor, presidio);
  for (const language of ['en', 'es', 'de', 'fr', 'it'])
    compare('chat.dev.jsonl', detectorFor, presidio, ['--language', language]);
  webText(detectorFor, presidio);
  scoreVectors(read('vectors.dev.jsonl'), detectorFor);
  falseFindings(read('chat.dev.jsonl'), detectorFor);
  falseInCode(detectorFor('en'));
  prose(detectorFor);
  longTexts(detectorFor);
  speed(read('chat.dev.jsonl'), detectorFor);
  console.log(`memory: ${memory()} MB more after loading the detector and a first message`);
} finally {
  rmSync(scratch, { recursive: true });
}

/** The median of five processes that do nothing else. */
function memory() {
  const script = `const before = process.memoryUsage().rss;
    const { createDetector } = await import(process.argv[1]);
    createDetector({ language: 'en' }).detectSync('Ada Lovelace, +44 20 7946 0018');
    console.log((process.memoryUsage().rss - before) / 1e6);`;
  const index = new URL('../tools/pii/dist/index.js', import.meta.url).href;
  const run = () => Number(execFileSync(process.execPath, ['--input-type=module', '-e', script, index]));
  const found = Array.from({ length: 5 }, run).sort((a, b) => a - b);
  return `${found[2].toFixed(1)} (${found[0].toFixed(1)} to ${found[4].toFixed(1)})`;
}

/** The Python that has it, or undefined with the reason told. */
async function findPresidio() {
  const own = process.env.PRESIDIO_PYTHON;
  if (own !== undefined) return own;
  const made = await preparePython(
    'presidio-2.2.366',
    [PRESIDIO],
    ['python', '-c', 'import presidio_analyzer'],
  );
  if ('programs' in made) return join(made.programs, 'python');
  console.log(`without Presidio: ${made.missing}`);
  return undefined;
}

function toSpan({ start, end, entityType, score }) {
  return { start, end, entity_type: entityType, score };
}

/** Both engines' answers to a file, as files that score.py reads. */
function answersTo(name, rows, detectorFor, presidio) {
  if (answered.has(name)) return answered.get(name);
  const gold = join(scratch, `gold.${name}`);
  const ours = join(scratch, `ours.${name}`);
  const asLines = (values) => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
  writeFileSync(gold, asLines(rows));
  writeFileSync(
    ours,
    asLines(
      rows.map(({ id, text, language }) => ({
        id,
        spans: detectorFor(language).detectSync(text).map(toSpan),
      })),
    ),
  );
  const answers = { gold, ours, models: [] };
  if (presidio !== undefined) {
    const script = fileURLToPath(new URL('./presidio.py', import.meta.url));
    const input = asLines(rows.map(({ id, text, language }) => ({ id, text, language })));
    const options = { input, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'ignore'] };
    const [first, ...lines] = execFileSync(presidio, [script], options).trimEnd().split('\n');
    answers.models = JSON.parse(first).models;
    answers.presidio = join(scratch, `presidio.${name}`);
    writeFileSync(answers.presidio, `${lines.join('\n')}\n`);
  }
  answered.set(name, answers);
  return answers;
}

/** A table of precision, recall and F1 by type, of ours and of Presidio. */
function compare(name, detectorFor, presidio, options = [], rows = read(name)) {
  const { gold, ours, presidio: theirs, models } = answersTo(name, rows, detectorFor, presidio);
  const scored = (answers, ...more) =>
    JSON.parse(
      execFileSync(
        'python3',
        [join(data, 'score.py'), gold, answers, '--json', '--resolve', ...more, ...options],
        {
          encoding: 'utf8',
        },
      ),
    );
  const own = scored(ours, '--utf16');
  const other = theirs === undefined ? undefined : scored(theirs);
  console.log(`== ${[name, ...options].join(' ')}`);
  console.log(`${'type'.padEnd(24)}  gold      P      R     F1   Presidio P      R     F1`);
  const figures = (row) =>
    row
      .slice(5, 8)
      .map((one) => one.toFixed(3).padStart(7))
      .join('');
  for (const row of [...own.rows, own.micro, own.macro]) {
    const [type, count] = row;
    const beside = other && [...other.rows, other.micro, other.macro].find(([one]) => one === type);
    const isBlind = models.length === 0 && (NAMES.includes(type) || /^M[AI]CRO$/.test(type));
    const theirFigures =
      beside === undefined ? '' : isBlind ? '  no model of names' : `    ${figures(beside)}`;
    console.log(`${type.padEnd(24)}${String(count).padStart(6)}${figures(row)}${theirFigures}`);
  }
}

/** English web text that no model of ours was trained on. */
function webText(detectorFor, presidio) {
  const path = join(data, 'corpora', 'ner.en.tsv.gz');
  if (!existsSync(path)) return;
  const rows = sentencesOf(path, 'uner-ewt-dev');
  compare('uner-ewt-dev', detectorFor, presidio, ['--types', 'PERSON,LOCATION'], rows);
  const told = Object.entries(PRESIDIO_MEDIUM).map(([type, f1]) => `${type} ${f1}`);
  console.log(`Presidio with its medium model, as told: ${told.join(', ')}`);
}

/** The sentences of one source of a corpus with their people and places, spaced as the training has them. */
function sentencesOf(path, wanted) {
  const script = fileURLToPath(new URL('../tools/pii/sentences.py', import.meta.url));
  const options = { encoding: 'utf8', maxBuffer: 1 << 28 };
  return execFileSync('python3', [script, path, wanted], options)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function scoreVectors(rows, detectorFor) {
  const answers = join(scratch, 'vectors');
  const lines = rows.map(({ id, text, language, entity_type: type }) =>
    JSON.stringify({ id, spans: detectorFor(language, [type], 0.01).detectSync(text).map(toSpan) }),
  );
  writeFileSync(answers, `${lines.join('\n')}\n`);
  console.log('== vectors.dev.jsonl');
  const files = [join(data, 'vectors.dev.jsonl'), answers];
  console.log(
    execFileSync('python3', [join(data, 'score.py'), ...files, '--utf16', '--vectors'], { encoding: 'utf8' }),
  );
}

function falseFindings(rows, detectorFor) {
  const clean = rows.filter(({ spans }) => spans.length === 0);
  const flagged = clean.filter(({ text, language }) => detectorFor(language).detectSync(text).length > 0);
  console.log(`lines without personal data: ${clean.length}, with a false finding: ${flagged.length}`);
}

function speed(rows, detectorFor) {
  const times = [];
  let units = 0;
  for (let round = 0; round < 12; round++) {
    for (const { text, language } of rows) {
      const detector = detectorFor(language);
      const started = performance.now();
      detector.detectSync(text);
      if (round < 6) continue;
      times.push(performance.now() - started);
      units += text.length;
    }
  }
  const seconds = times.reduce((sum, time) => sum + time, 0) / 1000;
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)].toFixed(3);
  console.log(
    `messages of ${Math.round(units / times.length)} units: median ${at(0.5)} ms, p99 ${at(0.99)} ms, ${Math.round(units / seconds)} units per second`,
  );
}

/** Every PERSON, LOCATION and bare-host URL in source code for 10 kB, right ones (authors, places) included. */
function falseInCode(detector) {
  console.log('source code: findings in 10 kB, right ones included');
  for (const { name, texts: textsOf } of installedCode()) {
    const texts = textsOf(MIB);
    const units = texts.reduce((sum, text) => sum + text.length, 0);
    const counts = { PERSON: 0, LOCATION: 0, URL: 0 };
    for (const text of texts) {
      for (const { entityType, start, end } of detector.detectSync(text)) {
        const isPlainUrl = entityType === 'URL' && /:\/\/|^www\./.test(text.slice(start, end));
        if (entityType in counts && !isPlainUrl) counts[entityType]++;
      }
    }
    const rates = Object.entries(counts).map(([type, n]) => `${type} ${((n / units) * 10_000).toFixed(2)}`);
    console.log(
      `  ${name.padEnd(14)}${units === 0 ? 'not installed here' : `${rates.join('  ')}  of ${(units / 1e6).toFixed(2)} MB`}`,
    );
  }
}

/** How long a mebibyte takes, and the longest of the steps between which other work can run. */
function longTexts(detectorFor) {
  const messages = read('chat.dev.jsonl').map(({ text }) => text);
  const news = proseOf('en');
  const ownCode = installedCode()
    .find(({ name }) => name === 'this project')
    .texts(MIB)
    .join('\n');
  const texts = [
    ['prose', news],
    ['chat lines', messages.join('\n')],
    ['chat lines as one line of JSON', JSON.stringify(messages)],
    ['source code', ownCode],
    ['numbers and dates', '4111 1111 1111 1112 2024-02-30T10:11 +49 30 1234567 10.0.0.1 '],
    ['letters without a blank', 'Abcdefgh'],
    ['capitalised words', 'Johnson Miller Weber Kowalski '],
    ['base64', Buffer.from(news.slice(0, 60_000)).toString('base64')],
  ];
  console.log('1 MiB of text: milliseconds, the best of three, and the longest step');
  for (const [name, piece] of texts) {
    if (piece === '') continue;
    const text = piece.repeat(Math.ceil(MIB / piece.length)).slice(0, MIB);
    let best = Number.POSITIVE_INFINITY;
    let longest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const steps = detectorFor('en').steps(text);
      const started = performance.now();
      let stepStarted = started;
      let worst = 0;
      for (let done = false; !done; ) {
        done = steps.next().done;
        const now = performance.now();
        worst = Math.max(worst, now - stepStarted);
        stepStarted = now;
      }
      best = Math.min(best, stepStarted - started);
      longest = Math.min(longest, worst);
    }
    console.log(`  ${name.padEnd(32)}${best.toFixed(0).padStart(5)} ms, step ${longest.toFixed(1)} ms`);
  }
}

/** The annotated corpus of a language without its tags; empty where it is not there. */
function proseOf(language) {
  const path = join(data, 'corpora', `ner.${language}.tsv.gz`);
  if (!existsSync(path)) return '';
  const words = gunzipSync(readFileSync(path))
    .toString('utf8')
    .split('\n')
    .map((line) => (line.startsWith('# ') ? '' : line.split('\t')[0]));
  return words.join(' ').replace(/ {2,}/g, '\n').slice(0, 1e6);
}

/** Processor time for prose: the annotated corpora without their tags, about a megabyte of each language. */
function prose(detectorFor) {
  for (const language of ['en', 'de', 'fr']) {
    const text = proseOf(language);
    if (text === '') continue;
    const detector = detectorFor(language);
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round++) {
      const before = process.cpuUsage();
      detector.detectSync(text);
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, (user + system) / 1e6);
    }
    console.log(
      `prose (${language}, names in every sentence): ${(text.length / 1e6 / best).toFixed(2)} MB in a second of processor time`,
    );
  }
}
