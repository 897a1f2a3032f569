import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources } from './check-imports.mjs';
import { root } from './steps.mjs';

/* What pages point at is there: other pages, their sections, and files of the project. */

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...['proto', 'test/support', 'tools/pii', 'examples/dialect-cohere'].map((folder) => `${folder}/README.md`),
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const textOf = (page) => readFileSync(join(root, page), 'utf8');
const withoutCode = (text) => text.replace(/^```[\s\S]*?^```$/gm, '');

/** The anchors of a page, as GitHub makes them. */
function anchorsOf(page) {
  const headings = withoutCode(textOf(page)).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** A path as pages write it: without the ending of a file of code. */
const isThere = (path) =>
  ['', '.ts', '.test.ts', '.tsx', '.mjs'].some((ending) => existsSync(join(root, path + ending))) ||
  // Several tests whose names begin so.
  (path.startsWith('test/') &&
    readdirSync(join(root, dirname(path))).some((name) => join(dirname(path), name).startsWith(path)));

describe.each(pages)('%s', (page) => {
  it('links only to what exists', () => {
    const links = [
      ...withoutCode(textOf(page)).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)]*))?\)/g),
    ];
    const broken = links.filter(([, path, anchor]) => {
      const target = path === '' ? page : normalize(join(dirname(page), path));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target).has(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('names only files that exist', () => {
    const paths = [
      ...withoutCode(textOf(page)).matchAll(
        /`((?:src|test|scripts|bench|deploy|examples|docs|tools|proto)\/[\w./-]+)/g,
      ),
    ];
    expect(
      [...new Set(paths.map(([, path]) => path.replace(/[./]+$/, '')))].filter(
        (path) => !path.includes('NNNN') && !isThere(path),
      ),
    ).toEqual([]);
  });
});

it('each error has its anchor in docs/errors.md', () => {
  const text = readSources().get('core/errors.ts');
  const table = text.slice(text.indexOf('export const ERROR'));
  const codes = [...table.slice(0, table.indexOf('\n}')).matchAll(/^ {2}(\w+): \{$/gm)].map(
    ([, code]) => code,
  );
  expect(codes.length).toBeGreaterThan(15);
  const anchors = anchorsOf('docs/errors.md');
  expect(codes.filter((code) => !anchors.has(code))).toEqual([]);
});

describe('the decisions', () => {
  const decisions = readdirSync(join(root, 'docs/decisions'));

  it('each have a number of their own', () => {
    const numbers = decisions.map((name) => name.slice(0, 4));
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  it.each(decisions)('%s begins with its number', (name) => {
    expect(textOf(`docs/decisions/${name}`)).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. `));
  });
});
