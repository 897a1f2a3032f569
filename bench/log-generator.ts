import type { LogRecord, LogStatus, QualityRating } from '../src/core/log-record.js';
import { tagsOf } from '../src/logs/tags.js';

/** All logs belong to one project, which is the worst case for every index. */
export const PROJECT = '00000000-0000-4000-8000-0000000000be';
export const START = Date.UTC(2026, 0, 1);
const SECOND_MS = 1000;

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'];
const TASKS = ['support', 'summary', 'translation', 'extraction', 'chat', 'code', 'search', 'review'];
const VOCABULARY = 20_000;

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** After this many logs the contents repeat. */
export const DIFFERENT_LOGS = 50_000;
/** In one of this many logs the words are indexed, as in a project that switched word search on recently. */
const INDEXED_EVERY = 10;

/** What differs in every log. The texts have the same length in all logs. */
export function identityOf(index: number): { id: string; created_at: Date; request: string } {
  const created_at = new Date(START + index * SECOND_MS);
  return { id: idOf(created_at, index), created_at, request: `request-${String(index).padStart(9, '0')}` };
}

/** The n-th log, independent of all others. There is one log for each second, as in a project with some traffic. */
export function generateLog(index: number): LogRecord {
  const random = randomOf((index % DIFFERENT_LOGS) + 1);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const metadata = {
    task: pick(TASKS),
    language: pick(LANGUAGES),
    subscription_tier: random() < 0.01 ? 'enterprise' : 'free',
    user_id: `u${Math.floor(random() * 100_000)}`,
    session_id: `s${Math.floor(random() * 100_000)}`,
    turn: Math.floor(random() * 10),
    beta: random() < 0.001,
  };
  const { id, created_at, request } = identityOf(index);
  const [input, output] = [sentence(random, 25), sentence(random, 35)];
  const duration_ms = Math.round(80 - 900 * Math.log(1 - random()));
  const usage = { input_tokens: Math.floor(4000 ** random()), output_tokens: Math.floor(2000 ** random()) };
  const stream = random() < 0.4;
  const finding = {
    type: pick(['PERSON', 'EMAIL_ADDRESS']),
    place: '/0/parts/0/text',
    start: 0,
    end: 2,
    score: 0.9,
  };
  // Each application has its own endpoint, so a search for one application and the endpoint of another finds nothing.
  const application = Math.floor(random() * 20);
  const isRated = random() < 0.05;
  const attempt = { provider: 'local', model: 'large', http_status: 200, error: null, usage };
  const first = { ...attempt, status: 'timeout' as const, http_status: null, usage: null, duration_ms: 50 };
  return {
    _id: id,
    project_uid: PROJECT,
    created_at,
    endpoint: `endpoint-${application}`,
    api: random() < 0.1 ? 'anthropic.messages' : 'openai.chat',
    caller: `key:app-${application}`,
    status: statusOf(random()),
    http_status: 200,
    ...(index % INDEXED_EVERY === 0 ? { _search: 'words' as const } : {}),
    client_request_id: random() < 0.5 ? request : null,
    request: { model: 'support', messages: [{ role: 'user', content: input }] },
    response: { choices: [{ index: 0, message: { role: 'assistant', content: output } }] },
    preview: { input: input.slice(0, 140), output: output.slice(0, 140) },
    metadata,
    tags: tagsOf(metadata),
    quality_rating: ratingOf(random()),
    attempts: [
      ...(random() < 0.02 ? [first] : []),
      { ...attempt, status: 'success', duration_ms: duration_ms - 8 },
    ],
    plugin_runs: [
      {
        plugin: 'pii_detection',
        phase: 'request',
        outcome: 'passed',
        duration_ms: 1,
        findings: random() < 0.03 ? [finding] : [],
      },
    ],
    model: `local/model-${Math.floor(random() * 10)}`,
    usage,
    cost: usage.input_tokens * 1e-6 + usage.output_tokens * 4e-6,
    timing: {
      total_ms: duration_ms,
      time_to_first_token_ms: stream ? Math.round(duration_ms / 4) : null,
      engine_ms: 2,
    },
    trace_id: null,
    error: null,
    stream,
    feedback_count: isRated ? 1 : 0,
    score: isRated ? Math.round(random() * 200 - 100) / 100 : null,
  };
}

/** A UUIDv7 of this moment that is the same in each run. */
function idOf(created_at: Date, index: number): string {
  const time = created_at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`;
}

function statusOf(draw: number): LogStatus {
  if (draw < 0.0005) return 'aborted';
  if (draw < 0.01) return 'error';
  if (draw < 0.02) return 'rejected';
  return draw < 0.03 ? 'invalid_output' : 'success';
}

function ratingOf(draw: number): QualityRating | null {
  if (draw < 0.01) return '👎';
  return draw < 0.04 ? '👍' : null;
}

/** Words of very different frequency, as in real texts: `w1` is everywhere, `w19999` nearly nowhere. */
function sentence(random: () => number, words: number): string {
  return Array.from({ length: words }, () => `w${Math.floor(VOCABULARY ** random())}`).join(' ');
}
