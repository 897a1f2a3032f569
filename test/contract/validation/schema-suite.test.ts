import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/core/errors.js';
import { isJsonObject, type JsonValue } from '../../../src/core/json.js';
import { createOutputValidation } from '../../../src/validation/create-output-validation.js';
import { DRAFTS, type Draft } from '../../../src/validation/schema/draft.js';

/*
 * The official suite's required cases, each through `prepare` and `check`. What fails is in the table below
 * with its reason, and nothing else may fail; a row that fits no failure any more is a failure too.
 */
const folder = resolve(process.env.SLUICE_SHARED ?? '../shared', 'json-schema-suite');

/** Many slow starts at once must not make a case fail. */
const PATIENT = { compileMs: 20_000, steadyMs: 20_000, riskyMs: 20_000 };

interface Group {
  description: string;
  schema: JsonValue;
  tests: { description: string; data: JsonValue; valid: boolean }[];
}

/** `refused`: the schema is answered with `invalid_json_schema`. `wrong`: the judgement differs from the suite's. */
interface KnownFailure {
  file: string;
  /** The description of one group; all groups of the file where absent. */
  group?: string;
  /** What the descriptions of the failing tests have in common; all tests of the group where absent. */
  tests?: RegExp;
  how: 'refused' | 'wrong';
  reason: string;
}

const REMOTE = 'refers to a schema outside of the request, and nothing is fetched';
const OWN_DRAFT = 'names a draft of its own, which would have to be fetched';
const ASSERTED = 'known formats are asserted, as the interface promises; the suite takes them for notes';
const DYNAMIC = 'a dynamic reference with several possible targets is refused, since ajv resolves it wrongly';
const RECURSIVE =
  'ajv resolves a recursive reference inside a part with an id of its own to the outermost part';
const CONTAINS = 'ajv does not note what a `contains` under a condition has looked at';
('ajv mistakes "all items" for a number of items where only one alternative looked at them');

const KNOWN_FAILURES: Record<Draft, KnownFailure[]> = {
  '07': [{ file: 'refRemote.json', how: 'refused', reason: REMOTE }],
  '2019-09': [
    { file: 'refRemote.json', how: 'refused', reason: REMOTE },
    { file: 'vocabulary.json', how: 'refused', reason: OWN_DRAFT },
    {
      file: 'recursiveRef.json',
      group: '$recursiveRef with no $recursiveAnchor in the initial target schema resource',
      tests: /^leaf node/,
      how: 'wrong',
      reason: RECURSIVE,
    },
  ],
  '2020-12': [
    { file: 'refRemote.json', how: 'refused', reason: REMOTE },
    { file: 'vocabulary.json', how: 'refused', reason: OWN_DRAFT },
    { file: 'format.json', tests: /is only an annotation by default$/, how: 'wrong', reason: ASSERTED },
    ...[
      'strict-tree schema, guards against misspelled properties',
      'tests for implementation dynamic anchor and reference link',
      '$ref and $dynamicAnchor are independent of order - $defs first',
      '$ref and $dynamicAnchor are independent of order - $ref first',
      '$ref to $dynamicRef finds detached $dynamicAnchor',
    ].map((group) => ({ file: 'dynamicRef.json', group, how: 'refused' as const, reason: REMOTE })),
    ...[
      'A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated',
      "A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution",
      'A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope',
      'multiple dynamic paths to the $dynamicRef keyword',
      'after leaving a dynamic scope, it is not used by a $dynamicRef',
      '$dynamicRef skips over intermediate resources - direct reference',
      '$dynamicRef avoids the root of each schema, but scopes are still registered',
    ].map((group) => ({ file: 'dynamicRef.json', group, how: 'refused' as const, reason: DYNAMIC })),
    {
      file: 'unevaluatedItems.json',
      group: 'unevaluatedItems with $dynamicRef',
      how: 'refused',
      reason: DYNAMIC,
    },
    {
      file: 'unevaluatedProperties.json',
      group: 'unevaluatedProperties with $dynamicRef',
      how: 'refused',
      reason: DYNAMIC,
    },
    {
      file: 'unevaluatedItems.json',
      group: 'unevaluatedItems and contains interact to control item dependency relationship',
      tests: /^(?:only a's|a's and b's|a's, b's and c's) are valid/,
      how: 'wrong',
      reason: CONTAINS,
    },
  ],
};

const FOLDERS: Record<Draft, string> = {
  '2020-12': 'draft2020-12',
  '2019-09': 'draft2019-09',
  '07': 'draft7',
};

describe.skipIf(!existsSync(folder))(`the official suite in ${folder}`, () => {
  const validation = createOutputValidation({ schemaBytes: 262_144, deadlines: PATIENT });
  afterAll(() => validation.close());

  it.each(Object.keys(FOLDERS) as Draft[])(
    'passes for draft %s except for the listed exceptions',
    async (draft) => {
      const used = new Set<KnownFailure>();
      const unexplained: string[] = [];
      let passed = 0;
      for (const { file, group, test, outcome } of await runDraft(draft)) {
        if (outcome === 'passed') {
          passed++;
          continue;
        }
        const known = KNOWN_FAILURES[draft].find(
          (row) =>
            row.file === file &&
            (row.group ?? group) === group &&
            (row.tests?.test(test) ?? true) &&
            row.how === outcome,
        );
        if (known === undefined) unexplained.push(`${file}: ${group}: ${test}: ${outcome}`);
        else used.add(known);
      }
      expect(unexplained).toEqual([]);
      expect(KNOWN_FAILURES[draft].filter((row) => !used.has(row))).toEqual([]);
      console.info(`draft ${draft}: ${passed} of ${totalOf(draft)} cases pass`);
      expect(`${passed} of ${totalOf(draft)}`).toBe(numbersInTheDocumentation()[draft]);
    },
  );

  async function runDraft(draft: Draft) {
    const outcomes: { file: string; group: string; test: string; outcome: 'passed' | 'refused' | 'wrong' }[] =
      [];
    for (const [file, groups] of filesOf(draft)) {
      for (const { description: group, schema, tests } of groups) {
        const prepared = await validation.prepare(withDraft(schema, draft)).catch((error: unknown) => {
          expect(error).toBeInstanceOf(SluiceError);
          expect(error).toMatchObject({ code: 'invalid_json_schema', status: 400 });
          return undefined;
        });
        for (const test of tests) {
          const result = await prepared?.check(JSON.stringify(test.data));
          const outcome = result === undefined ? 'refused' : result.valid === test.valid ? 'passed' : 'wrong';
          outcomes.push({ file, group, test: test.description, outcome });
        }
      }
    }
    return outcomes;
  }
});

function filesOf(draft: Draft): [file: string, groups: Group[]][] {
  const path = join(folder, FOLDERS[draft]);
  return readdirSync(path).map((file) => [
    file,
    JSON.parse(readFileSync(join(path, file), 'utf8')) as Group[],
  ]);
}

function totalOf(draft: Draft): number {
  return filesOf(draft).reduce(
    (sum, [, groups]) => sum + groups.reduce((tests, group) => tests + group.tests.length, 0),
    0,
  );
}

/** Draft 07's cases name no draft, and 2020-12 is what a schema without one is taken for. */
function withDraft(schema: JsonValue, draft: Draft): JsonValue {
  return isJsonObject(schema) && schema.$schema === undefined
    ? { $schema: DRAFTS[draft], ...schema }
    : schema;
}

/** The numbers as docs/validation.md gives them, in the rows `| 2020-12 | 1 of 2 |`. */
function numbersInTheDocumentation(): Record<string, string> {
  const text = readFileSync(new URL('../../../docs/validation.md', import.meta.url), 'utf8');
  return Object.fromEntries(
    [...text.matchAll(/^\| ([\d-]+) \| (\d+ of \d+) \|/gm)].map(([, draft, n]) => [draft, n]),
  );
}
