// Loaded into an engine whose steps are measured. A step is one round of its event loop: while one lasts, nothing else
// happens. SIGUSR2 begins a measurement, the next one ends it and writes it to BENCH_STEPS: the longest step, in
// milliseconds of the main thread's work, and with BENCH_STEPS_PROFILE the functions that it was spent in.
const { Session } = require('node:inspector');
const { renameSync, writeFileSync } = require('node:fs');
const { WASI } = require('node:wasi');

const file = process.env.BENCH_STEPS;
/** Shorter steps are not kept. */
const LONG_MS = 5;

if (file !== undefined && process.argv.includes('serve')) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 500 });
  const withProfile = process.env.BENCH_STEPS_PROFILE !== undefined;
  let running = false;
  let steps = [];
  let longest = 0;
  let last = 0;
  let lastAt = 0;
  const cpu = threadClock();
  const wall = () => Number(process.hrtime.bigint() / 1000n);
  // This timer is due after each round that took a millisecond or more.
  const round = () => {
    const now = cpu();
    const at = wall();
    if (now - last > longest) longest = now - last;
    if (now - last > LONG_MS) steps.push({ took: now - last, from: lastAt, to: at });
    last = cpu();
    lastAt = at;
    if (running) setTimeout(round, 1);
  };
  process.on('SIGUSR2', () => {
    if (!running) {
      running = true;
      steps = [];
      longest = 0;
      if (withProfile) session.post('Profiler.start');
      last = cpu();
      lastAt = wall();
      setTimeout(round, 1);
      write({ begun: true });
      return;
    }
    running = false;
    const result = { longest, steps: steps.map(({ took }) => took) };
    if (!withProfile) return write(result);
    session.post('Profiler.stop', (error, { profile } = {}) => {
      if (error) throw error;
      write({ ...result, within: withinLongest(profile, steps) });
    });
  });
}

/**
 * The milliseconds that this thread has worked. The work of other processes on its core does not count. On Node 20
 * only WASI has this clock.
 */
function threadClock() {
  const THREAD_CPU = 3;
  const memory = new WebAssembly.Memory({ initial: 1 });
  const wasi = new WASI({ version: 'preview1' });
  wasi.initialize({ exports: { memory } });
  const view = new DataView(memory.buffer);
  return () => {
    const failed = wasi.wasiImport.clock_time_get(THREAD_CPU, 1n, 0);
    if (failed !== 0) throw new Error(`no clock of this thread: ${failed}`);
    return Number(view.getBigUint64(0, true)) / 1e6;
  };
}

function write(result) {
  writeFileSync(`${file}.new`, JSON.stringify(result));
  renameSync(`${file}.new`, file);
}

/** The milliseconds of each function in the longest step, with those of all functions that it called. */
function withinLongest(profile, steps) {
  const step = steps.reduce((one, other) => (other.took > one.took ? other : one), {
    took: 0,
    from: 0,
    to: 0,
  });
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  for (const node of profile.nodes) for (const child of node.children ?? []) nodes.get(child).parent = node;
  const all = new Map();
  let at = profile.startTime;
  profile.samples.forEach((id, index) => {
    const took = profile.timeDeltas[index];
    at += took;
    if (at < step.from || at > step.to) return;
    const seen = new Set();
    for (let node = nodes.get(id); node !== undefined; node = node.parent) {
      const { functionName, url, lineNumber } = node.callFrame;
      const name = `${functionName || '(no name)'} ${url.replace(/^.*\/(dist|node_modules)\//, '')}:${lineNumber + 1}`;
      if (seen.has(name)) continue;
      seen.add(name);
      all.set(name, (all.get(name) ?? 0) + took / 1000);
    }
  });
  return [...all]
    .filter(([, ms]) => ms >= 1)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 40);
}
