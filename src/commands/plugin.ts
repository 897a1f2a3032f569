import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = /^[a-z0-9_-]{1,64}$/;
const RESOLVER = new URL('../plugins/testing/resolve-sluice.js', import.meta.url);

/**
 * Writes a working plugin and its test into a folder. Returns 2 where the name is not valid or a file exists already.
 */
export async function newPlugin(name: string, { directory = '.' }: { directory?: string }): Promise<number> {
  if (!NAME.test(name)) {
    console.error(
      `'${name}' is not a valid plugin name: expected 1 to 64 lower-case letters, digits, '_' and '-'.`,
    );
    return 2;
  }
  const files = [
    [join(directory, `${name}.mjs`), fromTemplate('plugin.mjs', name)],
    [join(directory, `${name}.test.mjs`), fromTemplate('test.mjs', name)],
  ] as const;
  const known = files.find(([path]) => existsSync(path));
  if (known !== undefined) {
    console.error(`${known[0]} exists already and was not changed.`);
    return 2;
  }
  mkdirSync(directory, { recursive: true });
  for (const [path, text] of files) writeFileSync(path, text, { flag: 'wx' });
  const [[plugin], [test]] = files;
  console.log(`${plugin} is a plugin that works, ${test} its test. Run the test, then change both:

  sluice plugin test ${test}

In sluice.yaml:

  plugins: ["./${name}.mjs"]
  …
      plugins: [{ plugin: ${name}, config: { words: ["acme"] } }]

docs/plugins.md describes what a plugin may do.`);
  return 0;
}

/** Fills a template with the name: a plugin that looks for words, rejects requests and masks answers as they stream. */
function fromTemplate(file: string, name: string): string {
  return readFileSync(new URL(`./plugin-template/${file}`, import.meta.url), 'utf8').replaceAll('NAME', name);
}

/** Runs a test of a plugin with this installation's `sluice/plugin`. Resolves with the exit code of the test. */
export async function testPlugin(file: string): Promise<number> {
  if (!existsSync(file)) {
    console.error(`There is no file ${file}.`);
    return 1;
  }
  const child = spawn(process.execPath, ['--import', fileURLToPath(RESOLVER), resolve(file)], {
    stdio: 'inherit',
  });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => done(code ?? 1));
  });
}
