import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './steps.mjs';

/* docs/security.md names a test for each promise, and for each of its sections. Here it is seen that they exist. */

const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What stands in backticks and begins like a test. */
function testsIn(part) {
  return [...part.matchAll(/`((?:test|src|scripts|dashboard)\/[\w./-]+|npm (?:test|run test:\w+))`/g)].map(
    ([, name]) => name,
  );
}

/** A test file with or without its ending, a folder with tests, or a command. */
function exists(name) {
  if (name === 'npm test') return true;
  if (name.startsWith('npm run ')) return scripts[name.slice('npm run '.length)] !== undefined;
  const at = join(root, name);
  if (/\.test\.(ts|mjs)$/.test(name)) return existsSync(at);
  if (existsSync(`${at}.test.ts`) || existsSync(`${at}.test.mjs`)) return true;
  return existsSync(at) && readdirSync(at, { recursive: true }).some((file) => file.endsWith('.test.ts'));
}

const rows = text
  .split('## What is promised')[1]
  .split('\n## ')[0]
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| promise'))
  .map((line) => line.split(' | '));

describe('docs/security.md', () => {
  it('has promises', () => {
    expect(rows.length).toBeGreaterThan(30);
  });

  it.each(rows)('names a test of: %s', (_promise, tests = '') => {
    expect(testsIn(tests)).not.toEqual([]);
    expect(tests.replace(/\(.*?\)/g, '').match(/`[^`]+`/g)).toHaveLength(testsIn(tests).length);
  });

  it.each(testsIn(text))('names a test that exists: %s', (name) => {
    expect(exists(name), name).toBe(true);
  });

  it.each(
    text
      .split('\n## ')
      .slice(1)
      .map((section) => [section.split('\n')[0], section]),
  )('names a test in its section "%s"', (_title, section) => {
    expect(testsIn(section)).not.toEqual([]);
  });
});
