import { describe, expect, it } from 'vitest';
import { findImportMistakes } from './check-imports.mjs';

const check = (files) => findImportMistakes(new Map(Object.entries(files)));

describe('the import table', () => {
  it.each([
    ['a folder itself', { 'core/a.ts': "import { b } from './b.js';", 'core/b.ts': '' }],
    ['what the row names', { 'routing/a.ts': "import type { B } from '../core/b.js';" }],
    ['one file of a folder', { 'extproc/a.ts': "import { b } from '../envoy/names.js';" }],
    ['dialects from logs/export', { 'logs/export/sft.ts': "import { b } from '../../dialects/index.js';" }],
    ['logs from logs/export', { 'logs/export/sft.ts': "import { b } from '../score.js';" }],
    [
      'everything from main, app and local',
      { 'app.ts': "import 'mongodb';\nimport { b } from './store/b.js';" },
    ],
    ['a driver in its folder', { 'store/a.ts': "import { MongoClient } from 'mongodb';" }],
    [
      'types, and a package that is loaded when it is needed',
      { 'plugins/a.ts': "import type { Pool } from 'undici';\nconst { Pool } = await import('undici');" },
    ],
    [
      'an earlier layer of the pipeline',
      {
        'pipeline/answer/a.ts': "import { b } from '../attempt/read/b.js';",
        'pipeline/attempt/read/b.ts': '',
      },
    ],
    ['what only looks like an import', { 'core/a.ts': "// import { b } from '../admin/b.js'\nconst c = 1;" }],
  ])('allows %s', (_, files) => {
    expect(check(files)).toEqual([]);
  });

  it.each([
    [{ 'core/a.ts': "import { b } from '../store/b.js';" }, 'src/core/a.ts: core may not import store/b.ts'],
    [
      { 'core/log-record.ts': "import type { Dialect } from '../dialects/index.js';" },
      'src/core/log-record.ts: core may not import dialects/index.ts',
    ],
    [
      { 'logs/a.ts': "import {\n  b,\n} from '../dialects/index.js';" },
      'src/logs/a.ts: logs may not import dialects/index.ts',
    ],
    [
      { 'extproc/a.ts': "import type { B } from '../envoy/bootstrap.js';" },
      'src/extproc/a.ts: extproc may not import envoy/bootstrap.ts',
    ],
    [
      { 'pipeline/a.ts': "const b = await import('../extproc/b.js');" },
      'src/pipeline/a.ts: pipeline may not import extproc/b.ts',
    ],
    [
      { 'plugins/a.ts': "import { Pool } from 'undici';" },
      'src/plugins/a.ts: undici is loaded when it is needed, by import()',
    ],
    [
      { 'config/a.ts': "import { Type } from 'typebox';" },
      'src/config/a.ts: typebox is here for its types alone: core/schema-type has the rest',
    ],
    [
      { 'pipeline/attempt/a.ts': "import type { B } from '../answer/b.js';" },
      'src/pipeline/attempt/a.ts: attempt comes before answer, and may not import pipeline/answer/b.ts',
    ],
    [
      { 'pipeline/answer/stream/a.ts': "import { b } from '../b.js';" },
      'src/pipeline/answer/stream/a.ts: answer/stream comes before answer, and may not import pipeline/answer/b.ts',
    ],
    [
      { 'pipeline/other/a.ts': "import { b } from '../exchange/b.js';" },
      'src/pipeline/other/a.ts: src/pipeline/other/ has no row among the layers of pipeline in scripts/check-imports.mjs',
    ],
    [
      { 'plugins/webhook/a.ts': "import { b } from '../runtime/run/b.js';" },
      'src/plugins/webhook/a.ts: plugins/webhook/a.ts comes before runtime/run, and may not import plugins/runtime/run/b.ts',
    ],
    [
      { 'plugins/webhook/a.ts': "import { b } from '../text-rules/b.js';" },
      'src/plugins/webhook/a.ts: plugins/webhook may not import plugins/text-rules/b.ts, which belongs to another plugin',
    ],
    [{ 'admin/a.ts': "import { Db } from 'mongodb';" }, 'src/admin/a.ts: mongodb is known in store only'],
    [
      { 'pipeline/a.ts': "export * from '@opentelemetry/api';" },
      'src/pipeline/a.ts: @opentelemetry/api is known in telemetry only',
    ],
    [
      { 'commands/a.ts': "import { b } from '../local/b.js';" },
      'src/commands/a.ts: local/b.ts is not in the image of a service: only local/ imports it',
    ],
    [
      { 'app/a.ts': "import { b } from '../dialects/openai-chat/parse.js';" },
      'src/app/a.ts: dialects/openai-chat/parse.ts is known in dialects only: others go by the contract in dialects/dialect.ts',
    ],
    [
      { 'routing/a.ts': "import { readFile } from 'node:fs/promises';" },
      'src/routing/a.ts: routing does no I/O, and may not import node:fs/promises',
    ],
    [
      { 'core/a.ts': "import { b } from '../../test/b.js';" },
      'src/core/a.ts: imports ../../test/b.js, which lies outside of src/',
    ],
    [
      { 'novel/a.ts': "import { b } from '../core/b.js';" },
      'src/novel/a.ts: novel/ has no row in scripts/check-imports.mjs',
    ],
  ])('refuses %o', (files, mistake) => {
    expect(check(files)).toEqual([mistake]);
  });

  it('finds circles, but not those of types alone', () => {
    expect(
      check({ 'core/a.ts': "import { b } from './b.js';", 'core/b.ts': "import { a } from './a.js';" }),
    ).toEqual(['src/core/a.ts → core/b.ts → core/a.ts: a circle of imports']);
    expect(
      check({ 'core/a.ts': "import { b } from './b.js';", 'core/b.ts': "import type { A } from './a.js';" }),
    ).toEqual([]);
  });

  it('finds circles between the parts of a folder, those of types too', () => {
    const there = { 'core/one/a.ts': "import type { B } from '../two/b.js';" };
    expect(check({ ...there, 'core/two/c.ts': "import { d } from '../one/d.js';" })).toEqual([
      'src/core: one → two → one: a circle of folders',
    ]);
    expect(check({ ...there, 'core/two/c.ts': "import { d } from '../three/d.js';" })).toEqual([]);
  });

  it('finds a circle between a folder and a file beside it', () => {
    const files = { 'core/a.ts': "import { b } from './one/b.js';", 'core/one/c.ts': "import '../a.js';" };
    expect(check(files)).toEqual(['src/core: a.ts → one → a.ts: a circle of folders']);
  });
});
