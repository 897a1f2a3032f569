import type { JsonObject } from '../../src/core/json.js';
import { type GatewayOptions, gatewayConfig, TEST_HEADERS } from './gateway.js';

/** Dollars for a million: an answer of the fake provider, with 7 and 3 tokens, costs 13 of them. */
export const PRICE = { input_per_mtok: 1, output_per_mtok: 2 };
export const COST_OF_ANSWER = 13 / 1e6;

/** The project of the tests with these limits, and prices for its models. */
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
