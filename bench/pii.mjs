/**
 * Accuracy of the PII detector on the development files, and its speed and memory. Run by `npm run bench:pii`.
 *
 * usage: node bench/pii.mjs [folder of the data]
 *
 * The folder (default ../shared/pii beside the checkout, or $SLUICE_SHARED/pii) holds the files and score.py, which
 * needs python3. Messages are timed one by one in a process that is warm; `npm run build` is not needed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '../tools/pii/compile.mjs';

const beside = fileURLToPath(new URL('../../shared', import.meta.url));
const data = process.argv[2] ?? join(process.env.SLUICE_SHARED ?? beside, 'pii');
if (!existsSync(join(data, 'score.py'))) {
  console.error(`No development data in ${data}: give the folder as an argument.`);
  process.exit(1);
}
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

  for (const name of ['dev.jsonl', 'chat.dev.jsonl']) score(name, read(name), detectorFor, ['--resolve']);
  score('vectors.dev.jsonl', read('vectors.dev.jsonl'), detectorFor, ['--vectors']);
  falseFindings(read('chat.dev.jsonl'), detectorFor);
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
  console.log(`== ${name}`);
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
