import { describe, expect, it } from 'vitest';
import { mistakesOf } from '../../test/support/parse-config.js';

describe('mistakes in keys', () => {
  it('are reported without any part of a key, and of what stands where the name of a variable is expected', () => {
    const text = `providers:
  local: { api: openai, base_url: "https://user:pass@h/v1", api_key_env: "sk-very secret", headers: { authorization: "a\\nb" } }
admin_keys: [{ name: root, key: "two words" }]
projects:
  - uid: 00000000-0000-4000-8000-000000000001
    name: demo
    limit_webhook: { url: "https://h/x", hmac_key_env: "signing secret" }
`;
    const mistakes = mistakesOf(text);
    expect(mistakes).toHaveLength(5);
    expect(mistakes.join('\n')).not.toMatch(/pass|secret|words|a.b"/);
  });

  it('include a line break in the environment', () => {
    const text = 'admin_keys: [{ name: root, key_env: BROKEN }]';
    expect(mistakesOf(text, { env: { BROKEN: 'secret\n' } })).toEqual([
      'sluice.yaml:1:37 admin_keys[0].key_env: the environment variable BROKEN does not hold a key of letters, digits and signs, without spaces',
    ]);
  });

  it('include a key for both a project and the administration', () => {
    const text = `projects:
  - { uid: 00000000-0000-4000-8000-000000000001, name: a, api_keys: [{ name: k, key: same, scopes: [logs] }] }
admin_keys: [{ name: root, key: same }]
`;
    expect(mistakesOf(text)).toEqual([
      'sluice.yaml:2:86 projects[0].api_keys[0].key: this key is also an admin key; expected another one',
    ]);
  });

  it('do not include that two keys are the same which are both unset', () => {
    const text = 'admin_keys: [{ name: a, key_env: EMPTY }, { name: b, key_env: EMPTY }]';
    const mistakes = mistakesOf(text, { env: { EMPTY: '' } });
    expect(mistakes.map((line) => line.split(': ')[1])).toEqual(
      Array(2).fill('the environment variable EMPTY is not set'),
    );
  });

  it('do not include the same key in two projects', () => {
    const project = (digit: number) =>
      `  - { uid: 00000000-0000-4000-8000-00000000000${digit}, name: a, api_keys: [{ name: k, key: same, scopes: [logs] }] }`;
    expect(mistakesOf(`projects:\n${project(1)}\n${project(2)}\n`)).toEqual([]);
  });
});
