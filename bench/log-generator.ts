import type { LogRecord, LogStatus, QualityRating } from '../src/core/log-record.js';
import { tagsOf } from '../src/logs/tags.js';

/** The project that all logs are of: the worst case for every index. */
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

/** The n-th log, whatever was made before it: one a second, as a project with some traffic makes them. */
export function generateLog(index: number): LogRecord {
  const random = randomOf(index + 1);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const metadata = {
    task: pick(TASKS),
    language: pick(LANGUAGES),
    subscription_tier: random() < 0.01 ? 'enterprise' : 'free',
    user_id: `u${Math.floor(random() * 100_000)}`,
    turn: Math.floor(random() * 10),
    beta: random() < 0.001,
  };
  const created_at = new Date(START + index * SECOND_MS);
  const isRated = random() < 0.05;
  return {
    _id: idOf(created_at, index),
    project_uid: PROJECT,
    created_at,
    endpoint: `endpoint-${Math.floor(random() * 20)}`,
    api: 'openai.chat',
    status: statusOf(random()),
    http_status: 200,
    _search: 'words',
    client_request_id: random() < 0.5 ? `request-${index}` : null,
    request: { model: 'support', messages: [{ role: 'user', content: sentence(random, 25) }] },
    response: { choices: [{ index: 0, message: { role: 'assistant', content: sentence(random, 35) } }] },
    metadata,
    tags: tagsOf(metadata),
    quality_rating: ratingOf(random()),
    attempts: [
      {
        provider: 'local',
        model: 'large',
        status: 'success',
        http_status: 200,
        error: null,
        duration_ms: 812,
        usage: { input_tokens: 30, output_tokens: 45 },
      },
    ],
    plugin_runs: [
      { plugin: 'pii_detection', phase: 'request', outcome: 'passed', duration_ms: 1, findings: [] },
    ],
    model: `local/model-${Math.floor(random() * 10)}`,
    usage: { input_tokens: 30, output_tokens: 45 },
    cost: 0.0001,
    timing: { total_ms: 820, time_to_first_token_ms: 210, engine_ms: 2 },
    trace_id: null,
    error: null,
    stream: false,
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
