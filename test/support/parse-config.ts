import type { Config } from '../../src/config/config.js';
import { type ConfigResult, type ParseOptions, parseConfig } from '../../src/config/load.js';
import { renderMistake, renderMistakes } from '../../src/config/mistakes.js';

export const ENV = { LOCAL_KEY: 'local-secret', SLUICE_ROOT: 'root-secret' };

/** A whole file without mistakes. */
export const EXAMPLE = `
providers:
  local:  { api: openai, base_url: "http://127.0.0.1:9101/v1/", api_key_env: LOCAL_KEY }
  claude: { api: anthropic, base_url: "https://api.anthropic.com/v1" }
projects:
  - uid: 00000000-0000-4000-8000-00000000000A
    name: demo
    api_keys: [{ name: demo, key: sk-demo, scopes: [inference, feedback, logs] }]
    endpoints:
      - name: support
        models:
          - { provider: local, model: large, structured_output: true, when: { tags_any: ["tier:pro"] } }
          - { provider: local, model: small, weight: 2 }
        plugins:
          - { plugin: pii_detection, phases: [request], config: { entities: [PERSON] } }
admin_keys: [{ name: root, key_env: SLUICE_ROOT }]
`;

export function parse(text: string, options: Partial<ParseOptions> = {}): ConfigResult {
  return parseConfig(text, { file: 'sluice.yaml', env: ENV, ...options });
}

/** The configuration in a text. Throws where the text has mistakes. */
export function configOf(text: string, options?: Partial<ParseOptions>): Config {
  const result = parse(text, options);
  if ('mistakes' in result) throw new Error(renderMistakes(result.mistakes));
  return result.config;
}

/** The mistakes in a text. */
export function mistakesOf(text: string, options?: Partial<ParseOptions>): string[] {
  const result = parse(text, options);
  return 'mistakes' in result ? result.mistakes.map(renderMistake) : [];
}

/** A complete file with these lines as its only endpoint, from line 9 on. */
export const withEndpoint = (lines: string) => `providers:
  local: { api: openai, base_url: "http://127.0.0.1:9101/v1" }
projects:
  - uid: 00000000-0000-4000-8000-000000000001
    name: demo
    endpoints:
      - name: a
        models: [{ provider: local, model: m }]
        ${lines}
`;

export const withProvider = (fields: string) => `providers:
  local: { ${fields} }
`;
