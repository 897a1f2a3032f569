import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPluginModules } from '../../../src/plugins/runtime/prepare/load-plugin-modules.js';
import { contextOf, pluginEntry, preparePlugins, user } from '../../support/plugin-host.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A directory with these files. */
async function directoryWith(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const plugin = (name: string) =>
  `export default { name: '${name}', configSchema: {}, request: () => ({ action: 'pass' }) };`;

describe("users' plugins", () => {
  it.each([
    ['a path', './guard.mjs', { 'guard.mjs': plugin('guard') }],
    ['a path up', '../guard.mjs', { '../guard.mjs': plugin('guard') }],
    [
      'TypeScript that imports more TypeScript',
      './guard.ts',
      {
        'guard.ts': `import { name } from './name.ts';
          interface Shape { name: string }
          const shape: Shape = { name };
          export default { ...shape, configSchema: {}, request: (): unknown => ({ action: 'pass' }) };`,
        'name.ts': "export const name: string = 'guard';",
      },
    ],
    [
      'a package by its name',
      '@acme/guard',
      {
        'node_modules/@acme/guard/package.json':
          '{"name":"@acme/guard","type":"module","exports":{"import":"./main.js"}}',
        'node_modules/@acme/guard/main.js': plugin('guard'),
      },
    ],
  ] as [string, string, Record<string, string>][])('are loaded from %s', async (_, specifier, files) => {
    const folder = join(await directoryWith({}), 'inner');
    await mkdir(folder);
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const plugins = await loadPluginModules([specifier], folder);
    const { host, plugins: prepared } = preparePlugins(plugins, [pluginEntry('guard')]);
    const outcome = await host.runRequest(prepared, contextOf(), [user('hello')], {});
    expect(outcome.runs).toMatchObject([{ plugin: 'guard', outcome: 'passed' }]);
  });

  it.each([
    ['is not there', './none.mjs', '', /none\.mjs/],
    ['does not parse', './guard.mjs', 'export default {', /guard\.mjs/],
    ['throws when it is loaded', './guard.mjs', "throw new Error('no key');", /no key/],
    ['exports nothing', './guard.mjs', 'export const a = 1;', /no default export/],
    ['has no name', './guard.mjs', 'export default { configSchema: {} };', /no 'name'/],
    ['has no schema', './guard.mjs', "export default { name: 'a', request() {} };", /no 'configSchema'/],
    [
      'does nothing',
      './guard.mjs',
      "export default { name: 'a', configSchema: {} };",
      /no function|not a function/,
    ],
    [
      'has a text for a function',
      './guard.mjs',
      "export default { name: 'a', configSchema: {}, log: 'x' };",
      /'log'/,
    ],
    [
      'wants a window without looking at it',
      './guard.mjs',
      "export default { name: 'a', configSchema: {}, stream: { window: 5 }, response() {} };",
      /responseWindow/,
    ],
    ['is a package that is not installed', 'acme-none', '', /acme-none/],
  ])('are refused by name when one %s', async (_, specifier, text, reason) => {
    const folder = await directoryWith(text === '' ? {} : { 'guard.mjs': text });
    await expect(loadPluginModules([specifier], folder)).rejects.toThrow(`plugin '${specifier}'`);
    await expect(loadPluginModules([specifier], folder)).rejects.toThrow(reason);
  });
});
