import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check as checkHere } from '../../../src/commands/check.js';
import { mainPath } from '../../../src/local/parts/engine.js';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { runHere } from '../../support/run-here.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const asProgram = (file: string) =>
  runProgram(process.execPath, [mainPath, 'check', '--config', file], { environment: process.env });

/** What `sluice check` prints and exits with for this file, beside these modules. */
async function check(
  yaml: string,
  modules: Record<string, string> = {},
  run = (file: string): ReturnType<typeof runHere | typeof asProgram> => runHere(() => checkHere(file)),
): Promise<[number | null, string]> {
  const directory = await temporaryFolder();
  for (const [name, text] of Object.entries(modules)) await writeFile(join(directory, name), text);
  const file = join(directory, 'sluice.yaml');
  await writeFile(file, yaml);
  const { code, output } = await run(file);
  return [code, output.replaceAll(`${directory}/`, '')];
}

const plugin = (name: string, configSchema = '{}') =>
  `export default { name: '${name}', configSchema: ${configSchema}, request: () => ({ action: 'pass' }) };`;

/** A file whose only endpoint has these plugins. */
const guardedBy = (plugins: string) => `
providers: { local: { api: openai, base_url: "http://127.0.0.1:1/v1" } }
projects:
  - uid: 00000000-0000-4000-8000-000000000001
    name: demo
    endpoints:
      - name: support
        models: [{ provider: local, model: m }]
        plugins: [${plugins}]
`;

describe('sluice check', () => {
  it('prints nothing for a good file', async () => {
    const [code, text] = await check('plugins: [./mine.mjs]\n', { 'mine.mjs': plugin('mine') }, asProgram);
    expect([code, text]).toEqual([0, 'sluice.yaml is valid: 0 providers, 0 projects, 0 endpoints.\n']);
  });

  // An engine that serves would stand still for a tenth of a second.
  it('neither loads Ajv nor compiles a schema for the plugins of the product', async () => {
    const loading = (file: string) =>
      runProgram(process.execPath, [mainPath, 'check', '--config', file], {
        environment: { ...process.env, NODE_DEBUG: 'module' },
      });
    const ofProduct = guardedBy('{ plugin: pii_detection }, { plugin: secrets_detection }');
    const [code, loaded] = await check(ofProduct, {}, loading);
    expect([code, loaded.includes('load "'), loaded.includes('ajv/dist/2020')]).toEqual([0, true, false]);
    const mine = `${guardedBy('{ plugin: mine }')}plugins: [./mine.mjs]\n`;
    const [, loadedForMine] = await check(mine, { 'mine.mjs': plugin('mine') }, loading);
    expect(loadedForMine).toContain('ajv/dist/2020');
  });

  it('warns of a guard that can be circumvented, and still accepts the file', async () => {
    const both = '{ plugin: pii_detection }, { plugin: pii_detection, on_error: allow }';
    const [code, text] = await check(guardedBy(both));
    expect([code, text.split('\n').filter((line) => line.startsWith('warning'))]).toEqual([
      0,
      [
        "warning: demo, endpoint support, plugins[1] (pii_detection): with 'on_error: allow', texts that are too long, or that arrive while too many are waiting, pass unchecked",
      ],
    ]);
  });

  it('warns, with line and key, of what is probably not meant, and still accepts the file', async () => {
    const [code, text] = await check(
      'providers:\n  local: { api: openai, base_url: "http://127.0.0.1:1/v1/chat/completions" }\n',
    );
    expect(code).toBe(0);
    expect(text).toMatch(
      /^warning: sluice\.yaml:2:35 providers\.local\.base_url: it ends in the path of a call/m,
    );
    expect(text).toContain('sluice.yaml is valid');
  });

  it('warns of what is probably not meant beside the mistakes, too', async () => {
    const [code, text] = await check(
      'providers:\n  local: { api: openai, base_url: "http://127.0.0.1:1/v1/chat/completions" }\nprojcts: []\n',
    );
    expect(code).toBe(1);
    expect(text).toMatch(/^sluice\.yaml:3:1 projcts: unknown key/m);
    expect(text).toMatch(/^warning: sluice\.yaml:2:35 providers\.local\.base_url: /m);
  });

  it.each([
    ['has the name of another', plugin('mine'), "two plugins are named 'mine'"],
    ['has the name of a built-in one', plugin('webhook'), "two plugins are named 'webhook'"],
    ['has a schema that is none', plugin('other', "{ type: 'nope' }"), 'is no valid JSON Schema'],
  ])('reports the place of a plugin that %s, with the other mistakes', async (_case, module, message) => {
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

describe('a command whose reader has seen enough', () => {
  it('ends without a word', async () => {
    const child = spawn(process.execPath, [mainPath, 'models', '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // More than a pipe holds is still to come when it is closed.
    child.stdout.once('data', () => child.stdout.destroy());
    let complaint = '';
    child.stderr.on('data', (text) => {
      complaint += text;
    });
    const [code] = await once(child, 'close');
    expect([code, complaint]).toEqual([0, '']);
  });
});
