// How the cost of a request grows with the size of its inputs. Prints a table for each part: bodies, turns, events,
// connections, configuration, metadata, plugins, logs, open-streams, slow-clients. Options: --parts NAMES (all),
// --scale S (1; with less it is shorter and ends at smaller sizes), --logs N (the largest number of logs of the part
// `logs`).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { requestBodies } from './bodies.mjs';
import { cpuOf, memoryOf } from './processes.mjs';
import { startOnlySluice } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    parts: { type: 'string', default: 'all' },
    scale: { type: 'string', default: '1' },
    logs: { type: 'string', default: '1000000' },
  },
});
const scale = Number(options.scale);
const MODELS = [{ provider: 'bench', model: 'bench' }];
const PLAIN = [{ name: 'bench', models: MODELS }];
const KEY = 'sk-bench';
/** The number of requests before the first figure. */
const WARM = 8_000;
const DONE = { plain: '"total_tokens":380', stream: 'data: [DONE]' };

const PARTS = {
  bodies: () =>
    compare({
      title: 'KiB of a request body',
      unit: 'KiB',
      sizes: [1, 10, 100, 1024, 5 * 1024, 20 * 1024],
      config: { limits: { request_body_bytes: 40 << 20 } },
      run: (size) => ({
        bodies: [conversation([text(size * 1024)])],
        total: 400 / (1 + size / 40),
        connections: 4,
      }),
    }),
  turns: () =>
    compare({
      title: 'messages of a conversation, 100 letters each',
      unit: 'message',
      sizes: [1, 10, 100, 1_000, 10_000],
      run: (size) => ({
        bodies: [conversation(Array.from({ length: size }, () => text(100)))],
        total: 600 / (1 + size / 100),
        connections: 4,
      }),
    }),
  events: () =>
    compare({
      title: 'events of a stream',
      unit: 'event',
      sizes: [10, 100, 1_000, 10_000],
      run: (size) => ({
        bodies: [conversation([`events=${size}`], { stream: true })],
        total: 800 / (1 + size / 50),
        connections: 8,
        until: DONE.stream,
      }),
    }),
  connections: () =>
    compare({
      title: 'connections of clients',
      sizes: [1, 32, 256, 1_000, 5_000],
      run: (size) => ({
        bodies: requestBodies('bench', {}),
        total: Math.max(2_000, 2 * size),
        connections: size,
      }),
    }),
  metadata: () =>
    compare({
      title: 'keys of metadata, a tag each',
      unit: 'key',
      sizes: [0, 4, 16, 64, 256],
      run: (size) => ({
        bodies: Array.from({ length: 50 }, (_, number) =>
          conversation(['Hello'], {
            metadata: Object.fromEntries(
              Array.from({ length: size }, (_, key) => [`key${key}`, `value ${(key + number) % 20}`]),
            ),
          }),
        ),
        total: 1_000 / (1 + size / 32),
        connections: 8,
      }),
    }),
  plugins: () =>
    compare({
      title: 'plugins of an endpoint, each with one rule',
      unit: 'plugin',
      sizes: [0, 1, 4, 16],
      endpoints: (sizes) =>
        sizes.map((size) => ({
          name: `with-${size}`,
          models: MODELS,
          plugins: Array.from({ length: size }, () => ({
            plugin: 'text_rules',
            config: { rules: [{ words: ['forbidden'], deny: true }] },
          })),
        })),
      run: (size) => ({ bodies: requestBodies(`with-${size}`, {}), total: 1_000, connections: 8 }),
    }),
  configuration: async () => {
    const rows = [];
    // A configuration file may contain 200,000 values, and 10,000 entries of each kind would be twice that.
    for (const size of shorter([1, 100, 1_000, 5_000])) {
      const many = (make) => Array.from({ length: size }, (_, number) => make(number));
      const endpoint = (number) => ({ name: `endpoint-${number}`, models: MODELS });
      const key = (number) => ({ name: `key-${number}`, key: `sk-bench-${number}`, scopes: ['inference'] });
      const setUp = {
        endpoints: [...PLAIN, ...many(endpoint)],
        keys: many(key),
        projects: many((number) => ({
          uid: `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`,
          name: `project-${number}`,
          api_keys: [{ name: 'key', key: `sk-project-${number}`, scopes: ['inference'] }],
          endpoints: PLAIN,
        })),
      };
      await withSluice(setUp, async (sluice) => {
        const work = { bodies: requestBodies('bench', {}), total: 1_000, connections: 8 };
        rows.push({ size, ...(await sluice.measure(work)) });
      });
    }
    print('projects, keys and endpoints, so many of each', rows);
  },
  logs: async () => {
    await withSluice({ endpoints: PLAIN }, async (sluice) => {
      const rows = [];
      const client = new MongoClient(sluice.target.mongodUri);
      const logs = client.db().collection('logs');
      const work = { bodies: requestBodies('bench', {}), total: 3_000, connections: 8 };
      for (const share of [0, 0.1, 0.3, 1]) {
        await fill(logs, Math.round(Number(options.logs) * scale * share));
        rows.push({ size: await logs.estimatedDocumentCount(), ...(await sluice.measure(work)) });
      }
      await client.close();
      print('logs that are stored', rows);
    });
  },
  'open-streams': () =>
    open('streams whose model is silent', [100, 1_000, 4_000, 9_000], (size) => ({
      bodies: [conversation([`events=3 hold_ms=${12_000 + size}`], { stream: true })],
      total: size,
      connections: size,
      until: DONE.stream,
    })),
  'slow-clients': () =>
    open('clients that do not read their stream of 2,000 events for ten seconds', [10, 100, 300], (size) => ({
      bodies: [conversation(['events=2000'], { stream: true })],
      total: size,
      connections: size,
      until: DONE.stream,
      pauseMs: 10_000,
    })),
};

const folder = mkdtempSync(join(tmpdir(), 'sluice-growth-'));
const wire = await openWire(folder);
if (!wire.isGo) throw new Error('the clients and the model of this benchmark need a Go compiler');
let started = 0;
try {
  const names = options.parts === 'all' ? Object.keys(PARTS) : options.parts.split(',');
  for (const name of names) {
    if (!(name in PARTS))
      throw new Error(`there is no part ${name}; there are ${Object.keys(PARTS).join(', ')}`);
    await PARTS[name]();
  }
} finally {
  wire.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A part whose sizes can all be served by one Sluice. */
async function compare({ title, unit, sizes, run, config, endpoints = () => PLAIN }) {
  const measured = shorter(sizes);
  await withSluice({ config, endpoints: endpoints(measured) }, async (sluice) => {
    const rows = [];
    for (const size of measured) rows.push({ size, ...(await sluice.measure(run(size))) });
    print(title, rows, unit);
  });
}

/** Connections and streams that are open at the same time cost memory, so the memory is read while all of them are open. */
async function open(title, sizes, run) {
  await withSluice({ endpoints: PLAIN }, async (sluice) => {
    await sluice.measure({ bodies: requestBodies('bench', {}), total: 2_000, connections: 32 });
    const lines = [`\n| ${title} | engine KiB each | Envoy KiB each | engine MiB |`, '|---|---|---|---|'];
    for (const size of shorter(sizes)) {
      const before = memoryOf(sluice.target);
      const all = sluice.send(run(size));
      await sleep(9_000);
      const during = memoryOf(sluice.target);
      await all;
      const each = (part) => (((during[part] - before[part]) * 1024) / size).toFixed(1);
      lines.push(`| ${size} | ${each('engine')} | ${each('envoy')} | ${during.engine.toFixed(0)} |`);
    }
    console.log(lines.join('\n'));
  });
}

function shorter(sizes) {
  return sizes.slice(0, Math.max(2, Math.ceil(sizes.length * scale)));
}

async function withSluice(setUp, use) {
  const { target, stop } = await startOnlySluice(join(folder, String(started++)), wire.port, setUp);
  let sent = 0;
  const client = new MongoClient(target.mongodUri);
  const logs = client.db().collection('logs');
  const before = async () => (await logs.estimatedDocumentCount()) - sent;
  const send = async ({ until = DONE.plain, total, ...form }) => {
    const count = Math.max(form.connections, Math.ceil(total * Math.min(1, scale)));
    const result = await wire.load({ url: target.url, key: KEY, until, total: count, ...form });
    if (result.failed > 0) throw new Error(`${result.failed} of ${count} requests failed: ${result.reason}`);
    sent += count;
    return { ...result, count };
  };
  /** Runs the work twice and measures the second time. Waits until its logs are written. */
  const measure = async (work) => {
    await send(work);
    const others = await before();
    const landed = async () => {
      while ((await logs.estimatedDocumentCount()) < others + sent) await sleep(50);
    };
    await landed();
    const start = cpuOf(target);
    const { count, p50 } = await send(work);
    await landed();
    const end = cpuOf(target);
    const ms = (part) => ((end[part] - start[part]) / count) * 1000;
    return {
      engine: ms('engine'),
      envoy: ms('envoy'),
      mongod: ms('mongod'),
      p50,
      memory: memoryOf(target).engine,
    };
  };
  try {
    // Code that has not run yet is slow, and the smallest size would pay for it, because it comes first.
    await send({ bodies: requestBodies(setUp.endpoints[0].name, {}), total: WARM, connections: 8 });
    await use({ target, send, measure });
  } finally {
    await client.close();
    await stop();
  }
}

/** Copies the newest log, one second apart, each with its own tags and metadata. */
async function fill(logs, wanted) {
  const there = await logs.estimatedDocumentCount();
  const [last] = await logs.find().sort({ _id: -1 }).limit(1).toArray();
  if (last === undefined) return;
  for (let at = there; at < wanted; at += 1_000) {
    const batch = Array.from({ length: Math.min(1_000, wanted - at) }, (_, index) => {
      const number = at + index;
      const tags = [`user:user-${number % 9_973}`, `session:s-${number}`, 'tier:free', 'app:chat'];
      return {
        ...last,
        _id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
        created_at: new Date(last.created_at.getTime() - number * 1000),
        tags,
        metadata: Object.fromEntries(tags.map((tag) => tag.split(':'))),
        // All of the metadata is in the tags, so there are no further terms.
        _metadata_terms: [],
        _prompt: `prompt-${number}`,
      };
    });
    await logs.insertMany(batch, { ordered: false });
  }
}

function conversation(texts, more = {}) {
  const messages = texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }));
  return JSON.stringify({ model: 'bench', messages, ...more });
}

function text(letters) {
  return 'The model should answer in plain words. '.repeat(Math.ceil(letters / 40)).slice(0, letters);
}

/**
 * Prints a table. CPU is in milliseconds a request. With a `unit` it also says what one more of it costs in
 * microseconds, compared with the row before.
 */
function print(title, rows, unit) {
  const added = unit === undefined ? '' : ` engine µs for one more ${unit} |`;
  const lines = [
    `\n| ${title} | Envoy ms | engine ms | mongod ms |${added} p50 ms | engine MiB |`,
    `|---|---|---|---|${unit === undefined ? '' : '---|'}---|---|`,
  ];
  for (const [index, row] of rows.entries()) {
    const { size, envoy, engine, mongod, p50, memory } = row;
    const before = rows[index - 1];
    const more =
      before === undefined ? '' : (((engine - before.engine) / (size - before.size)) * 1000).toFixed(2);
    const figures = [envoy, engine, mongod].map((ms) => ms.toFixed(3));
    if (unit !== undefined) figures.push(more);
    lines.push(`| ${[size, ...figures, p50.toFixed(2), memory.toFixed(0)].join(' | ')} |`);
  }
  console.log(lines.join('\n'));
}
