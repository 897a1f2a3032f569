import type { JsonObject } from '../../src/core/json.js';
import { borrowGateway, type Gateway, PROJECT } from './gateway.js';

export const ADDRESS = 'anna.schmidt@example.org';
export const MESSAGES_PATH = `/${PROJECT}/anthropic/v1/messages`;
export const RESPONSES_PATH = `/${PROJECT}/openai/v1/responses`;

function endpoint(name: string, plugins: JsonObject[], more: JsonObject = {}): JsonObject {
  return { name, models: [{ provider: 'fake', model: 'large' }], plugins, ...more };
}

const entry = (phase: string, config: JsonObject = {}): JsonObject => {
  return { plugin: 'pii_detection', phases: [phase], config, timeout_ms: 20_000, on_error: 'reject' };
};
const mask = { reject_on_detection: false, mask: true };

/** A request with this content as its only message. */
export const asking = (content: string) => ({ messages: [{ role: 'user', content }] });

/** A gateway whose endpoints are named after what `pii_detection` does in them. */
export function borrowPiiGateway(): Promise<Gateway> {
  return borrowGateway({
    endpoints: [
      endpoint('rejects', [entry('request'), entry('response')]),
      endpoint('rejects-full', [entry('request')], { log_content: 'full' }),
      endpoint('rejects-none', [entry('request')], { log_content: 'none' }),
      endpoint('masks', [entry('request', mask), entry('response', mask)]),
      endpoint('masks-full', [entry('request', mask), entry('response', mask)], { log_content: 'full' }),
      endpoint('masks-whole', [entry('response', { ...mask, deny_list: ['/blue.*bird/'] })]),
      endpoint('notes', [entry('log')]),
      endpoint('claude-masks', [entry('request', mask), entry('response', mask)], {
        models: [{ provider: 'claude', model: 'c' }],
      }),
      endpoint('responses-masks', [entry('request', mask), entry('response', mask)], {
        models: [{ provider: 'direct', model: 'r' }],
      }),
    ],
    providers: (base_url) => ({
      claude: { api: 'anthropic', base_url, api_key_env: 'FAKE_KEY' },
      direct: { api: 'openai', base_url, api_key_env: 'FAKE_KEY', responses: true },
    }),
  });
}
