import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newPlugin, testPlugin } from '../../../src/commands/plugin.js';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { runHere } from '../../support/run-here.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const sluice = (...parameters: string[]) =>
  runProgram(process.execPath, [MAIN, ...parameters], { environment: process.env });

describe('sluice plugin', () => {
  it('writes a plugin that works, and a test that passes', async () => {
    const directory = await temporaryFolder();
    const written = await sluice('plugin', 'new', 'no_acme', '--directory', directory);
    expect(written).toMatchObject({ code: 0 });
    const test = join(directory, 'no_acme.test.mjs');
    expect(written.output).toContain(`sluice plugin test ${test}`);
    const tested = await sluice('plugin', 'test', test);
    expect(tested).toMatchObject({ code: 0 });
    expect(tested.output).toMatch(/pass 3\d/);
    expect(tested.output).toMatch(/fail 0/);
  });

  it('writes a test that notices when the plugin fails', async () => {
    const directory = await temporaryFolder();
    await runHere(() => newPlugin('no_acme', { directory }));
    const file = join(directory, 'no_acme.mjs');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('window: 128', 'window: 1').replace("'***'", "'**'"));
    const tested = await sluice('plugin', 'test', join(directory, 'no_acme.test.mjs'));
    expect(tested.code).not.toBe(0);
    expect(tested.output).toContain('in a stream that is cut anywhere');
  });

  it('writes a plugin that a configuration can name, wherever it is', async () => {
    const directory = await temporaryFolder();
    await runHere(() => newPlugin('no_acme', { directory }));
    const config = join(directory, 'sluice.yaml');
    const of = (plugin: string) => `
providers: { local: { api: openai, base_url: "http://127.0.0.1:1/v1" } }
plugins: ["./no_acme.mjs"]
projects:
  - uid: 00000000-0000-4000-8000-000000000001
    name: shop
    api_keys: [{ name: app, key: sk-test-0123456789abcdef, scopes: [inference] }]
    endpoints:
      - name: support
        models: [{ provider: local, model: m }]
        plugins: [${plugin}]
`;
    await writeFile(config, of('{ plugin: no_acme, config: { words: [acme] } }'));
    expect(await sluice('check', '--config', config)).toMatchObject({ code: 0 });
    await writeFile(config, of('{ plugin: no_acme, config: { words: [] } }'));
    const wrong = await sluice('check', '--config', config);
    expect(wrong.code).not.toBe(0);
    expect(wrong.output).toContain('words');
  });

  it.each([['No_Acme'], ['../acme'], ['']])('refuses the name %j', async (name) => {
    expect(await runHere(() => newPlugin(name, {}))).toMatchObject({ code: 2 });
  });

  it('reports a test that does not exist', async () => {
    const tested = await runHere(() => testPlugin('none.test.mjs'));
    expect(tested).toMatchObject({ code: 1, output: 'There is no file none.test.mjs.\n' });
  });

  it('overwrites nothing', async () => {
    const directory = await temporaryFolder();
    await writeFile(join(directory, 'mine.test.mjs'), 'mine');
    expect(await runHere(() => newPlugin('mine', { directory }))).toMatchObject({ code: 2 });
    expect(await readFile(join(directory, 'mine.test.mjs'), 'utf8')).toBe('mine');
  });
});
