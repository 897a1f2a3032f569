import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as api from './api.js';
import * as testing from './testing/index.js';

/*
 * The examples in the docstrings of `sluice/plugin` and `sluice/plugin/testing` are run. The value of the statement before
 * `// => VALUE` must equal VALUE.
 */

const exported: Record<string, unknown> = { ...api, ...testing };
const sources = ['.', '../dialects']
  .flatMap((folder) => {
    const path = join(import.meta.dirname, folder);
    const files = readdirSync(path, { recursive: folder === '.', encoding: 'utf8' });
    return files.filter((file) => /(?<!\.test)\.ts$/.test(file)).map((file) => join(path, file));
  })
  .map((file) => readFileSync(file, 'utf8'));

/** The example above the declaration of this name, without the asterisks. */
function exampleOf(name: string): string | undefined {
  const declared = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport (?:function|class) ${name}\\b`);
  const comment = sources.map((source) => declared.exec(source)?.[1]).find((found) => found !== undefined);
  return /@example\n```ts\n([\s\S]*?)```/.exec(comment?.replace(/^ \* ?/gm, '') ?? '')?.[1];
}

/** The code of an example, in which each expected value is compared. */
function checked(example: string): { code: string; values: number } {
  const parts = example.split(/^\/\/ => (.*)$/m);
  let code = '';
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const statements = parts[at]!.trimEnd()
      .replace(/;$/, '')
      .split(/;\n(?=\S)/);
    const last = statements.pop()!;
    code += [...statements, `check(${last.trim()}, ${parts[at + 1]})`, ''].join(';\n');
  }
  return { code, values: (parts.length - 1) / 2 };
}

const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

describe.each(Object.keys(exported))('the docstring of %s', (name) => {
  it('has an example, and the values in it are right', async () => {
    const example = exampleOf(name);
    expect(example).toBeDefined();
    const { code, values } = checked(example!);
    expect(values).toBeGreaterThan(0);
    const check = (value: unknown, expected: unknown) => expect(value).toEqual(expected);
    await AsyncFunction('check', ...Object.keys(exported), code)(check, ...Object.values(exported));
  });
});
