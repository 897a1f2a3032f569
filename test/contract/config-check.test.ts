import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mainPath } from '../../src/local/parts/engine.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** What `sluice check` prints and exits with for this file, beside these modules. */
async function check(yaml: string, modules: Record<string, string> = {}): Promise<[number, string]> {
  const directory = await temporaryDirectory();
  for (const [name, text] of Object.entries(modules)) await writeFile(join(directory, name), text);
  const file = join(directory, 'sluice.yaml');
  await writeFile(file, yaml);
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [mainPath, 'check', '--config', file], (_error, out, err) => {
      resolve([child.exitCode ?? -1, (out + err).replaceAll(`${directory}/`, '')]);
    });
  });
}

const plugin = (name: string, configSchema = '{}') =>
  `export default { name: '${name}', configSchema: ${configSchema}, request: () => ({ action: 'pass' }) };`;

describe('sluice check', () => {
  it('has nothing to say against a good file', async () => {
    const [code, text] = await check('plugins: [./mine.mjs]\n', { 'mine.mjs': plugin('mine') });
    expect([code, text]).toEqual([0, 'sluice.yaml is valid: 0 providers, 0 projects, 0 endpoints.\n']);
  });

  it.each([
    ['has the name of another', plugin('mine'), "two plugins are named 'mine'"],
    ['has the name of a built-in one', plugin('webhook'), "two plugins are named 'webhook'"],
    ['has a schema that is none', plugin('other', "{ type: 'nope' }"), 'is no valid JSON Schema'],
  ])('tells where a plugin stands that %s, and the other mistakes', async (_case, module, message) => {
    const yaml = 'plugins:\n  - ./mine.mjs\n  - ./other.mjs\nprojcts: []\n';
    const [code, text] = await check(yaml, { 'mine.mjs': plugin('mine'), 'other.mjs': module });
    expect(code).toBe(1);
    const [first, second, ...rest] = text.trimEnd().split('\n');
    expect(first).toMatch(/^sluice\.yaml:3:5 plugins\[1\]: /);
    expect(first).toContain(message);
    expect(second).toMatch(/^sluice\.yaml:4:1 projcts: unknown key/);
    expect(rest).toEqual(['2 mistakes']);
  });
});
