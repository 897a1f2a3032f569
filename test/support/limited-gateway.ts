import type { JsonObject } from '../../src/core/json.js';
import { type GatewayOptions, gatewayConfig, TEST_HEADERS } from './gateway.js';

/**
 * Prices in US dollars for a million tokens. An answer of the fake provider has 7 input and 3 output tokens, so it costs 13
 * millionths of a dollar.
 */
export const PRICE = { input_per_mtok: 1, output_per_mtok: 2 };
export const COST_OF_ANSWER = 13 / 1e6;

/** A gateway whose project has these limits, and prices for its models. */
export function limitedGateway(
  limits: JsonObject[],
  more: { endpoints?: JsonObject[]; keys?: JsonObject[]; provider?: JsonObject; project?: JsonObject } = {},
): Pick<GatewayOptions, 'providers' | 'settings'> {
  const { projects } = gatewayConfig('http://unused', { endpoints: more.endpoints }) as {
    projects: (JsonObject & { api_keys: JsonObject[] })[];
  };
  const [project, other] = projects;
  return {
    providers: (base_url) => ({
      fake: {
        api: 'openai',
        base_url,
        api_key_env: 'FAKE_KEY',
        forward_headers: TEST_HEADERS,
        prices: { large: PRICE, small: PRICE },
        ...more.provider,
      },
    }),
    settings: {
      projects: [
        { ...project!, api_keys: [...project!.api_keys, ...(more.keys ?? [])], limits, ...more.project },
        other!,
      ],
    },
  };
}
