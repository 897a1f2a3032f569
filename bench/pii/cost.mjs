/** What the detector costs: time of messages, of prose and of hostile texts, and memory. */
import { execFileSync } from 'node:child_process';
import { installedCode } from '../../test/support/installed-code.ts';

const MIB = 1_048_576;

/** The time of each message alone, in a process that has warmed up. */
export function timeOfMessages(texts, detect) {
  const times = [];
  let units = 0;
  for (let round = 0; round < 12; round++) {
    for (const row of texts) {
      const started = performance.now();
      detect(row);
      if (round < 6) continue;
      times.push(performance.now() - started);
      units += row.text.length;
    }
  }
  const seconds = times.reduce((sum, time) => sum + time, 0) / 1000;
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)].toFixed(3);
  console.log(
    `messages of ${Math.round(units / times.length)} units: median ${at(0.5)} ms, p99 ${at(0.99)} ms, ${Math.round(units / seconds)} units per second`,
  );
}

/** Processor time for prose: about a megabyte of each language that has enough text. */
export function timeOfProse(texts, detect) {
  for (const language of ['en', 'de', 'pt', 'pl', 'it']) {
    const text = texts
      .filter((row) => row.language === language)
      .map((row) => row.text)
      .join('\n')
      .slice(0, 1e6);
    if (text.length < 1e5) continue;
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round++) {
      const before = process.cpuUsage();
      detect({ text, language });
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, (user + system) / 1e6);
    }
    console.log(
      `prose (${language}): ${(text.length / 1e6 / best).toFixed(2)} MB in a second of processor time`,
    );
  }
}

/** How long a mebibyte takes, and the longest of its steps. Other work can run between two steps. */
export function timeOfLongTexts(messages, prose, detector) {
  const code = installedCode()
    .find(({ name }) => name === 'this project')
    .texts(MIB)
    .join('\n');
  const texts = [
    ['prose', prose],
    ['chat lines', messages.join('\n')],
    ['chat lines as one line of JSON', JSON.stringify(messages)],
    ['source code', code],
    ['numbers and dates', '4111 1111 1111 1112 2024-02-30T10:11 +49 30 1234567 10.0.0.1 '],
    ['letters without a blank', 'Abcdefgh'],
    ['capitalised words', 'Johnson Miller Weber Kowalski '],
    ['base64', Buffer.from(prose.slice(0, 60_000)).toString('base64')],
  ];
  console.log('1 MiB of text: milliseconds, the best of three, and the longest step');
  for (const [name, piece] of texts) {
    if (piece === '') continue;
    const text = piece.repeat(Math.ceil(MIB / piece.length)).slice(0, MIB);
    let best = Number.POSITIVE_INFINITY;
    let longest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const { whole, step } = timeOfSteps(detector.steps(text));
      best = Math.min(best, whole);
      longest = Math.min(longest, step);
    }
    console.log(`  ${name.padEnd(32)}${best.toFixed(0).padStart(5)} ms, step ${longest.toFixed(1)} ms`);
  }
}

function timeOfSteps(steps) {
  const started = performance.now();
  let stepStarted = started;
  let step = 0;
  for (let done = false; !done; ) {
    done = steps.next().done;
    const now = performance.now();
    step = Math.max(step, now - stepStarted);
    stepStarted = now;
  }
  return { whole: stepStarted - started, step };
}

/** The median of five processes that load the detector, read a message and do nothing else. */
export function memory(index) {
  const script = `const before = process.memoryUsage().rss;
    const { createDetector } = await import(process.argv[1]);
    createDetector({ language: 'en' }).detectSync('Ada Lovelace, +44 20 7946 0018');
    console.log((process.memoryUsage().rss - before) / 1e6);`;
  const run = () => Number(execFileSync(process.execPath, ['--input-type=module', '-e', script, index]));
  const found = Array.from({ length: 5 }, run).sort((a, b) => a - b);
  console.log(
    `memory: ${found[2].toFixed(1)} MB (${found[0].toFixed(1)} to ${found[4].toFixed(1)}) more after loading the detector and a first message`,
  );
}
