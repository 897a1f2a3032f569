// Finds the engine's longest step for each kind of body. Bodies just under 1 MiB that are as expensive as possible go
// through Envoy, one at a time. A step is one round of the event loop, in milliseconds of the main thread's own work.
// Of several runs the least counts, because the first one compiles code, and a busy machine only makes steps longer.
// Options: --only PATTERN (kinds whose name it matches), --runs N, --bytes N, --within (in which functions the
// longest step was spent).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  answerOf,
  asking,
  bodiesOf,
  CHAT_ANSWERS,
  CHAT_REQUESTS,
  CHAT_STREAMS,
  EMBEDDINGS_REQUESTS,
  MESSAGES_REQUESTS,
  outputsOf,
  RESPONSES_REQUESTS,
} from './hostile-bodies.mjs';
import { startOnlySluice } from './targets.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '3' },
    bytes: { type: 'string', default: String(1024 * 1024) },
    within: { type: 'boolean', default: false },
  },
});
const only = new RegExp(options.only);
const runs = Number(options.runs);
const bytes = Number(options.bytes);
const PROJECT = '00000000-0000-4000-8000-000000000001';
const HELLO = JSON.stringify({ model: 'plain', messages: [{ role: 'user', content: 'Hello' }] });
const PLAIN = answerOf('Hello');
const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer sk-all' };
const ANSWERS = Object.entries(bodiesOf(CHAT_ANSWERS, bytes));
const STREAMS = Object.entries(bodiesOf(CHAT_STREAMS, bytes));
let newest;

const folder = mkdtempSync(join(tmpdir(), 'sluice-steps-'));
const results = join(folder, 'steps.json');
let answer = { body: PLAIN, stream: false };
const provider = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url === '/hook') return response.end('{}');
    if (request.url.endsWith('/messages')) {
      const body = {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: 'Hello' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(body));
    }
    if (request.url.endsWith('/embeddings')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(
        '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[1]}],"model":"m","usage":{"prompt_tokens":1,"total_tokens":1}}',
      );
    }
    response.writeHead(200, { 'content-type': answer.stream ? 'text/event-stream' : 'application/json' });
    response.end(answer.body);
  });
});
await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve));
const providerPort = provider.address().port;

const guard = (plugin, config) => ({ plugin, config, timeout_ms: 60_000, on_error: 'allow' });
const mask = (form) => ({ reject_on_detection: false, mask: form });
const GUARDS = {
  masking: [guard('pii_detection', mask(true))],
  reversible: [guard('pii_detection', mask('reversible'))],
  surrogate: [guard('pii_detection', mask('surrogate'))],
  rejecting: [guard('pii_detection', { reject_on_detection: true })],
  rules: [
    guard('text_rules', {
      ...mask(true),
      reject_on_detection: false,
      rules: [
        { words: ['Paris', 'a'], deny: true },
        { pattern: 'k[0-9]{3}', deny: true },
      ],
    }),
  ],
  secrets: [guard('secrets_detection', mask(true))],
  webhook: [guard('webhook', { url: `http://127.0.0.1:${providerPort}/hook` })],
};
const model = { provider: 'bench', model: 'bench' };
const { target, stop } = await startOnlySluice(join(folder, 'sluice'), providerPort, {
  config: { providers: { other: { api: 'anthropic', base_url: `http://127.0.0.1:${providerPort}` } } },
  keys: [{ name: 'all', key: 'sk-all', scopes: ['inference', 'feedback', 'logs'] }],
  endpoints: [
    { name: 'plain', models: [model] },
    { name: 'chain', models: [model, { provider: 'bench', model: 'second' }] },
    { name: 'translated', models: [{ provider: 'other', model: 'claude' }] },
    { name: 'validated', models: [model], json_validation: true },
    ...Object.entries(GUARDS).map(([name, plugins]) => ({ name, models: [model], plugins })),
  ],
  environment: {
    NODE_OPTIONS: `--require ${fileURLToPath(new URL('./step-probe.cjs', import.meta.url))}`,
    BENCH_STEPS: results,
    ...(options.within ? { BENCH_STEPS_PROFILE: '1' } : {}),
  },
});
const gateway = target.url.replace('/chat/completions', '');
const URLS = {
  chat: target.url,
  responses: `${gateway}/responses`,
  embeddings: `${gateway}/embeddings`,
  messages: `${gateway.replace('/openai/v1', '/anthropic')}/v1/messages`,
};

try {
  for (let warm = 0; warm < 300; warm++) await send(URLS.chat, HELLO);
  console.log('| kind | least ms | most ms | status |\n|---|---|---|---|');
  for (const [name, run, prepare] of kinds()) if (only.test(name)) await measure(name, run, prepare);
} finally {
  await stop();
  provider.close();
  provider.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}

/** The kinds of body, each with what is sent and how. */
function* kinds() {
  yield* requests('chat', CHAT_REQUESTS, ['plain', 'chain', 'translated', ...Object.keys(GUARDS)]);
  yield* requests('messages', MESSAGES_REQUESTS, ['plain', 'translated', 'masking']);
  yield* requests('responses', RESPONSES_REQUESTS, ['plain', 'masking']);
  yield* requests('embeddings', EMBEDDINGS_REQUESTS, ['plain', 'masking']);
  for (const endpoint of ['plain', 'validated', ...Object.keys(GUARDS)])
    yield* answers(endpoint, URLS.chat, { ...JSON.parse(HELLO), model: endpoint });
  yield* answers('for Messages', URLS.messages, { ...JSON.parse(HELLO), max_tokens: 10 });
  for (const [name, { schema, make }] of Object.entries(outputsOf(bytes - 1_000))) {
    const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } };
    const asked = JSON.stringify({ ...JSON.parse(HELLO), model: 'validated', response_format });
    yield [`answer, checked: ${name}`, () => send(URLS.chat, asked, { body: make() })];
  }
  yield* adminKinds();
}

function* requests(api, shapes, endpoints) {
  const bodies = Object.entries(bodiesOf(shapes, bytes));
  for (const endpoint of endpoints)
    for (const [name, make] of bodies)
      yield [`${api} request, ${endpoint}: ${name}`, () => send(URLS[api], asking(make(), endpoint))];
}

function* answers(what, url, ask) {
  const plain = JSON.stringify(ask);
  for (const [name, make] of ANSWERS)
    yield [`answer, ${what}: ${name}`, () => send(url, plain, { body: make() })];
  const streamed = JSON.stringify({ ...ask, stream: true });
  for (const [name, make] of STREAMS)
    yield [`stream, ${what}: ${name}`, () => send(url, streamed, { body: make(), stream: true })];
}

/** Calls of the admin port with large logs and bodies. */
function* adminKinds() {
  const bodies = bodiesOf(CHAT_REQUESTS, bytes);
  for (const name of ['members of the body', 'long numbers in a list', 'messages', 'members in arguments']) {
    const body = bodies[name];
    const check = () => {
      const { messages } = JSON.parse(body());
      return admin('/guard/check', { endpoint: 'masking', phase: 'request', messages });
    };
    yield [`admin, one log: ${name}`, () => admin(`/logs/${newest}`), () => store(asking(body(), 'plain'))];
    yield [`admin, list: ${name}`, () => admin('/logs?limit=50')];
    yield [`admin, search: ${name}`, () => admin('/logs?q=hello&limit=10')];
    yield [`admin, export: ${name}`, () => admin('/exports/sft.jsonl?min_score=-1')];
    yield [`admin, guard check: ${name}`, check];
  }
  yield ['admin, statistics', () => admin('/stats')];
  yield ['admin, tags', () => admin('/tags')];
}

async function admin(path, body) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${target.adminUrl}/${PROJECT}${path}`, { ...init, headers: HEADERS });
  await response.arrayBuffer();
  return response.status;
}

/** Sends this body, and waits for its log. */
async function store(body) {
  await send(URLS.chat, body);
  await sleep(1_500);
  const response = await fetch(`${target.adminUrl}/${PROJECT}/logs?limit=1`, { headers: HEADERS });
  const { data, logs = data } = await response.json();
  newest = logs[0].id ?? logs[0]._id;
}

async function measure(name, run, prepare) {
  await prepare?.();
  const longest = [];
  let status;
  let within;
  for (let count = 0; count < runs; count++) {
    await toggle('begun');
    status = await run();
    // The log, its shipping and LOG plugins run after the answer.
    await sleep(250);
    const result = await toggle('longest');
    longest.push(result.longest);
    if (result.longest <= Math.min(...longest)) within = result.within;
  }
  answer = { body: PLAIN, stream: false };
  const [least, most] = [Math.min(...longest), Math.max(...longest)];
  console.log(`| ${name} | ${least.toFixed(1)} | ${most.toFixed(1)} | ${status} |`);
  if (options.within && least > 10)
    for (const [where, ms] of within ?? []) console.log(`    ${ms.toFixed(1).padStart(7)} ${where}`);
}

/** Starts or ends a measurement, and waits until it is written. */
async function toggle(member) {
  rmSync(results, { force: true });
  process.kill(target.parts.engine, 'SIGUSR2');
  for (;;) {
    await sleep(5);
    try {
      const result = JSON.parse(readFileSync(results, 'utf8'));
      if (member in result) return result;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
}

async function send(url, body, answering) {
  if (answering !== undefined) answer = answering;
  const response = await fetch(url, {
    method: 'POST',
    headers: HEADERS,
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
