import { encodeTimeCursor } from '../src/admin/http/cursors.js';
import { identityOf, START } from './log-generator.js';

/** The path of the n-th call, below the project, or a path with a body to post. */
export type Query = (call: number) => string | { post: string; body: object };

export const STAT_DAYS = 90;
export const DAY_MS = 86_400_000;

const time = (index: number) => new Date(START + Math.floor(index) * 1000).toISOString();
const part = (call: number, of: number) => call % of;

/** The queries to measure with this number of logs. */
export function queriesOf(logs: number): Record<string, Query> {
  return { ...filters(logs), ...measures, ...sorts(logs), ...combinations(logs), ...counts(logs), ...queues };
}

function filters(logs: number): Record<string, Query> {
  return {
    'no filter': () => '/logs?limit=50',
    'tags_any, common': (call) => `/logs?limit=50&tags_any=turn:${part(call, 10)}`,
    'tags_any, rare': (call) => `/logs?limit=50&tags_any=user_id:u${call * 7}`,
    'tags_any, three': (call) =>
      `/logs?limit=50&tags_any=user_id:u${call}&tags_any=turn:${part(call, 10)}&tags_any=beta:true`,
    'tags_all, common and rare': (call) =>
      `/logs?limit=50&tags_all=language:en&tags_all=user_id:u${call * 3}`,
    'tags_all, two common': (call) => `/logs?limit=50&tags_all=language:de&tags_all=turn:${part(call, 10)}`,
    tags_none: (call) => `/logs?limit=50&tags_none=turn:${part(call, 10)}&tags_none=language:en`,
    'metadata, common': (call) => `/logs?limit=50&metadata.turn=${part(call, 10)}`,
    'metadata, rare': (call) => `/logs?limit=50&metadata.user_id=u${call * 11}`,
    'metadata, two keys': (call) =>
      `/logs?limit=50&metadata.subscription_tier=enterprise&metadata.turn=${part(call, 10)}`,
    'metadata, boolean': () => '/logs?limit=50&metadata.beta=true',
    model: (call) => `/logs?limit=50&model=local/model-${part(call, 10)}`,
    endpoint: (call) => `/logs?limit=50&endpoint=endpoint-${part(call, 20)}`,
    'status, rare': () => '/logs?limit=50&status=aborted',
    'status, two': () => '/logs?limit=50&status=error&status=rejected',
    quality_rating: () => `/logs?limit=50&quality_rating=${encodeURIComponent('👎')}`,
    'has_feedback=true': () => '/logs?limit=50&has_feedback=true',
    'has_feedback=false': () => '/logs?limit=50&has_feedback=false',
    'min_score, few': (call) => `/logs?limit=50&min_score=${1 - part(call, 3) / 1000}`,
    'min_score, many': (call) => `/logs?limit=50&min_score=${part(call, 5) / 10 - 0.5}`,
    'score between': (call) =>
      `/logs?limit=50&min_score=${part(call, 9) / 10}&max_score=${part(call, 9) / 10 + 0.05}`,
    client_request_id: (call) => `/logs?limit=50&client_request_id=${identityOf(call * 31).request}`,
    'from and to': (call) =>
      `/logs?limit=50&from=${time((call * logs) / 200)}&to=${time((call * logs) / 200 + 3600)}`,
    'q, common': (call) => `/logs?limit=50&q=w${part(call, 9) + 1}`,
    'q, rare': (call) => `/logs?limit=50&q=w${19_000 + call}`,
    'q, common and rare': (call) => `/logs?limit=50&q=w2%20w${15_000 + call}`,
    'q, two common': (call) => `/logs?limit=50&q=w${part(call, 9) + 1}%20w${part(call, 7) + 10}`,
    'tag, status and time': (call) =>
      `/logs?limit=50&tags_any=language:fr&status=success&from=${time(call * 100)}&to=${time(logs / 2)}`,
    'tag and feedback': (call) => `/logs?limit=50&tags_any=turn:${part(call, 10)}&has_feedback=true`,
    'a page in the middle': (call) =>
      `/logs?limit=50&tags_any=turn:${part(call, 10)}&cursor=${cursorAt((call * logs) / 150)}`,
    key: (call) => `/logs?limit=50&key=app-${part(call, 20)}`,
    'finding, rare': (call) => `/logs?limit=50&finding=${['PERSON', 'EMAIL_ADDRESS'][part(call, 2)]}`,
    'finding that nobody has': () => '/logs?limit=50&finding=IBAN_CODE',
    'provider alone': () => '/logs?limit=50&model=local',
    session: (call) => `/logs?limit=50&session=s${call * 13}`,
    fallback_reason: () => '/logs?limit=50&fallback_reason=timeout',
    failed_model: () => '/logs?limit=50&failed_model=local/large',
    'failed_model, rescued': () => '/logs?limit=50&failed_model=local&status=success',
    'failed_model, which nobody has': () => '/logs?limit=50&failed_model=local/none',
    'min_attempts=2': () => '/logs?limit=50&min_attempts=2',
    'min_attempts=3, which nobody has': () => '/logs?limit=50&min_attempts=3',
  };
}

/** Conditions that have no index of their own. */
const measures: Record<string, Query> = {
  'min_duration_ms, few': (call) => `/logs?limit=50&min_duration_ms=${8000 + call}`,
  'min_duration_ms, many': (call) => `/logs?limit=50&min_duration_ms=${500 + call}`,
  'max_duration_ms, few': (call) => `/logs?limit=50&max_duration_ms=${81 + part(call, 3)}`,
  min_first_token_ms: (call) => `/logs?limit=50&min_first_token_ms=${1500 + call}`,
  'min_cost, none': (call) => `/logs?limit=50&min_cost=${1 + call}`,
  min_tokens: (call) => `/logs?limit=50&min_tokens=${5000 + call}`,
  'api, rare': () => '/logs?limit=50&api=anthropic.messages',
  'api that nobody has': () => '/logs?limit=50&api=gemini.generate',
  stream: () => '/logs?limit=50&stream=true',
  'duration and key': (call) => `/logs?limit=50&min_duration_ms=5000&key=app-${part(call, 20)}`,
  'duration and tag': (call) => `/logs?limit=50&min_duration_ms=5000&tags_any=turn:${part(call, 10)}`,
};

function sorts(logs: number): Record<string, Query> {
  const all: Record<string, Query> = {};
  for (const sort of ['duration', 'first_token', 'cost', 'tokens']) {
    all[`sort by ${sort}`] = () => `/logs?limit=50&sort=${sort}`;
    all[`sort by ${sort}, a key`] = (call) => `/logs?limit=50&sort=${sort}&key=app-${part(call, 20)}`;
    all[`sort by ${sort}, an hour`] = (call) =>
      `/logs?limit=50&sort=${sort}&from=${time((call * logs) / 200)}&to=${time((call * logs) / 200 + 3600)}`;
  }
  all['sort by duration, a common tag'] = (call) =>
    `/logs?limit=50&sort=duration&tags_any=turn:${part(call, 10)}`;
  all['sort by cost, tag and status'] = () => '/logs?limit=50&sort=cost&tags_any=language:en&status=success';
  return all;
}

/** Several indexed conditions, each of which many logs meet, while few or none meet all of them: the worst case. */
function combinations(logs: number): Record<string, Query> {
  return {
    'key and endpoint, every log': (call) =>
      `/logs?limit=50&key=app-${part(call, 20)}&endpoint=endpoint-${part(call, 20)}`,
    'key and endpoint, no log': (call) =>
      `/logs?limit=50&key=app-${part(call, 20)}&endpoint=endpoint-${part(call + 1, 20)}`,
    'key, endpoint and tag, no log': (call) =>
      `/logs?limit=50&key=app-${part(call, 20)}&endpoint=endpoint-${part(call + 1, 20)}&tags_any=turn:1`,
    'key, endpoint and an hour, no log': (call) =>
      `/logs?limit=50&key=app-${part(call, 20)}&endpoint=endpoint-${part(call + 1, 20)}` +
      `&from=${time((call * logs) / 200)}&to=${time((call * logs) / 200 + 3600)}`,
    'status and model': (call) => `/logs?limit=50&status=error&model=local/model-${part(call, 10)}`,
    'status, model and key': (call) =>
      `/logs?limit=50&status=error&model=local/model-${part(call, 10)}&key=app-${part(call, 20)}`,
    'tags_none, every log has one': () =>
      `/logs?limit=50${['en', 'de', 'fr', 'es', 'it'].map((language) => `&tags_none=language:${language}`).join('')}`,
    'tag and rating': (call) =>
      `/logs?limit=50&tags_any=turn:${part(call, 10)}&quality_rating=${encodeURIComponent('👎')}`,
    'q and key': (call) => `/logs?limit=50&q=w${part(call, 9) + 1}&key=app-${part(call, 20)}`,
  };
}

function counts(logs: number): Record<string, Query> {
  return {
    'list of tags': () => '/tags?limit=50',
    'list of tags, common prefix': () => '/tags?limit=50&prefix=user_id:',
    'list of tags, rare prefix': (call) => `/tags?limit=50&prefix=user_id:u${call + 10}`,
    'count, no filter': () => '/logs/count',
    'count, common tag': (call) => `/logs/count?tags_any=turn:${part(call, 10)}`,
    'count, key and endpoint, no log': (call) =>
      `/logs/count?key=app-${part(call, 20)}&endpoint=endpoint-${part(call + 1, 20)}`,
    'count, duration': (call) => `/logs/count?min_duration_ms=${5000 + call}`,
    'count, an hour': (call) =>
      `/logs/count?from=${time((call * logs) / 200)}&to=${time((call * logs) / 200 + 3600)}`,
    'stats, 90 days by day': () => statsPath('day', 90),
    'stats, 90 days by day and endpoint': () => statsPath('day', 90, 'endpoint'),
    'stats, 90 days by day and model': () => statsPath('day', 90, 'model'),
    'stats, 90 days by day and tag': () => statsPath('day', 90, 'tag'),
    'stats, 90 days by hour': () => statsPath('hour', 90),
    'stats, 20 days by hour and status': () => statsPath('hour', 20, 'status'),
    'stats, 5 days by hour and endpoint': () => statsPath('hour', 5, 'endpoint'),
    'stats, 90 days in all by endpoint': () => statsPath('total', 90, 'endpoint'),
    'stats, 90 days in all by tag': () => statsPath('total', 90, 'tag'),
  };
}

/** How many of the newest logs are judged in each named queue, by somebody else than the person who asks. */
export const JUDGED = { thousand: 1000, many: 100_000 };

const queues: Record<string, Query> = {
  'queue, every log': () => ({ post: '/queue/next', body: { filter: {} } }),
  'queue, a key': (call) => ({ post: '/queue/next', body: { filter: { key: [`app-${part(call, 20)}`] } } }),
  'queue, key and endpoint, no log': (call) => ({
    post: '/queue/next',
    body: { filter: { key: [`app-${part(call, 20)}`], endpoint: [`endpoint-${part(call + 1, 20)}`] } },
  }),
  pairs: (call) => `/pairs?key=app-${part(call, 20)}`,
  'pairs, key and endpoint, no log': (call) =>
    `/pairs?key=app-${part(call, 20)}&endpoint=endpoint-${part(call + 1, 20)}`,
  'queue, named, a thousand judged': () => ({ post: '/queue/next', body: { queue: 'thousand' } }),
  'queue, named, a hundred thousand judged': () => ({ post: '/queue/next', body: { queue: 'many' } }),
};

function statsPath(bucket: string, days: number, by?: string): string {
  const to = new Date(START + STAT_DAYS * DAY_MS);
  const from = new Date(to.getTime() - days * DAY_MS);
  return `/stats?bucket=${bucket}&from=${from.toISOString()}&to=${to.toISOString()}${by ? `&by=${by}` : ''}`;
}

function cursorAt(index: number): string {
  const created_at = new Date(START + Math.floor(index) * 1000);
  return encodeTimeCursor('logs', { created_at, id: '' }) as string;
}
