/**
 * Accuracy of the PII detector on the development files by language, its false alarms in source code, its speed and memory. Run by `npm run bench:pii`.
 *
 * usage: node bench/pii.mjs [folder of the data]
 *
 * The folder (default ../shared/pii beside the checkout, or $SLUICE_SHARED/pii) holds the files and score.py, which
 * needs python3. Messages are timed one by one in a process that is warm; `npm run build` is not needed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { compile } from '../tools/pii/compile.mjs';

const beside = fileURLToPath(new URL('../../shared', import.meta.url));
const data = process.argv[2] ?? join(process.env.SLUICE_SHARED ?? beside, 'pii');
if (!existsSync(join(data, 'score.py'))) {
  console.error(`No development data in ${data}: give the folder as an argument.`);
  process.exit(1);
}
const MIB = 1_048_576;
const load = compile('index.ts');
const scratch = mkdtempSync(join(tmpdir(), 'pii-'));
const read = (name) =>
  readFileSync(join(data, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

try {
  const before = process.memoryUsage().rss;
  const { createDetector } = await load('index.js');
  const detectors = new Map();
  const detectorFor = (language, entities, scoreThreshold) => {
    const key = `${language} ${entities} ${scoreThreshold}`;
    if (!detectors.has(key)) detectors.set(key, createDetector({ language, entities, scoreThreshold }));
    return detectors.get(key);
  };
  detectorFor('en').detectSync('Ada Lovelace, +44 20 7946 0018');
  const memory = (process.memoryUsage().rss - before) / 1e6;

  score('dev.jsonl', read('dev.jsonl'), detectorFor, ['--resolve']);
  score('chat.dev.jsonl', read('chat.dev.jsonl'), detectorFor, ['--resolve']);
  for (const language of ['en', 'es', 'de', 'fr', 'it'])
    score('chat.dev.jsonl', read('chat.dev.jsonl'), detectorFor, ['--resolve', '--language', language]);
  score('vectors.dev.jsonl', read('vectors.dev.jsonl'), detectorFor, ['--vectors']);
  falseFindings(read('chat.dev.jsonl'), detectorFor);
  falseInCode(detectorFor('en'));
  prose(detectorFor);
  longTexts(detectorFor);
  speed(read('chat.dev.jsonl'), detectorFor);
  console.log(`memory: ${memory.toFixed(1)} MB more after loading the detector and a first message`);
} finally {
  rmSync(scratch, { recursive: true });
}

function score(name, rows, detectorFor, options) {
  const isVectors = options.includes('--vectors');
  const lines = rows.map(({ id, text, language, entity_type: type }) => {
    const detector = isVectors ? detectorFor(language, [type], 0.01) : detectorFor(language);
    const spans = detector.detectSync(text);
    return JSON.stringify({
      id,
      spans: spans.map(({ start, end, entityType, score }) => ({
        start,
        end,
        entity_type: entityType,
        score,
      })),
    });
  });
  const answers = join(scratch, name);
  writeFileSync(answers, `${lines.join('\n')}\n`);
  console.log(`== ${[name, ...options.slice(1)].join(' ')}`);
  console.log(
    execFileSync('python3', [join(data, 'score.py'), join(data, name), answers, '--utf16', ...options], {
      encoding: 'utf8',
    }),
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

/** Source files of one kind, about a megabyte, from all over the folder. */
function sources(folder, extension) {
  if (folder === '' || !existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(extension) && !/(?:^|\/)tests?\//.test(name))
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size < 150_000);
  const step = Math.max(1, Math.floor(files.length / 150));
  return files
    .filter((_, i) => i % step === 0)
    .map((path) => readFileSync(path, 'utf8'))
    .slice(0, 150);
}

function output(command, ...args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** Every PERSON, LOCATION and bare-host URL in source code for 10 kB, right ones (authors, places) included. */
function falseInCode(detector) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const go = output('go', 'env', 'GOROOT');
  const kinds = [
    ['TypeScript', join(root, 'node_modules'), '.ts'],
    ['JavaScript', join(root, 'node_modules'), '.js'],
    ['JSON', join(root, 'node_modules'), '.json'],
    ['Markdown', join(root, 'node_modules'), '.md'],
    ['this project', join(root, 'src'), '.ts'],
    ['Python', output('python3', '-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))'), '.py'],
    ['Go', go && join(go, 'src'), '.go'],
    ['C', '/usr/include', '.h'],
    ['Perl', output('perl', '-MConfig', '-e', 'print $Config{privlibexp}'), '.pm'],
  ];
  console.log('source code: findings in 10 kB, right ones included');
  for (const [name, folder, extension] of kinds) {
    const texts = sources(folder, extension);
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
  const root = fileURLToPath(new URL('..', import.meta.url));
  const messages = read('chat.dev.jsonl').map(({ text }) => text);
  const news = proseOf('en');
  const texts = [
    ['prose', news],
    ['chat lines', messages.join('\n')],
    ['chat lines as one line of JSON', JSON.stringify(messages)],
    ['source code', sources(join(root, 'src'), '.ts').join('\n')],
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
