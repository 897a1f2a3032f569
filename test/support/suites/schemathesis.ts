import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { type AdminApi, KEYS, openAdminApi, PROJECT } from '../admin-api.js';
import { logRecord } from '../log-record.js';
import { findSchemathesis } from '../schemathesis.js';

/** What must hold of every answer: no fault of ours, and nothing that the description does not promise. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
  'ignored_auth',
];

const schemathesis =
  inject('mongodPort') === null ? { missing: inject('missing') ?? 'no mongod' } : await findSchemathesis();
const missing = 'missing' in schemathesis ? schemathesis.missing : null;

/** Tests that schemathesis finds nothing wrong in so many seconds, with so many requests for each route. */
export function describeSchemathesis({ seconds, examples }: { seconds: number; examples: number }): void {
  describe.skipIf(missing !== null)(
    `the admin API under schemathesis${missing === null ? '' : ` (${missing})`}`,
    () => {
      let api: AdminApi;
      let url: string;
      let workplace: string;

      beforeAll(async () => {
        api = await openAdminApi({ rateLimit: { perKey: 1_000_000, perAddress: 1_000_000 } });
        await api.store.logs.insertMany([logRecord({ tags: ['a'], quality_rating: '👍' }), logRecord()]);
        workplace = await mkdtemp(join(tmpdir(), 'sluice-schemathesis-'));
        url = await api.server.listen({ host: '127.0.0.1', port: 0 });
      });

      afterAll(async () => {
        await api.close();
        await rm(workplace, { recursive: true, force: true });
      });

      it(
        'finds no server error and no answer that breaks the description',
        async () => {
          const { program } = schemathesis as { program: string };
          const run = await runProgram(
            'env',
            [
              // It leaves a folder where it runs.
              ...['-C', workplace, program],
              ...['run', `${url}/openapi.json`, '--header', `Authorization:Bearer ${KEYS.admin}`],
              ...[
                '--checks',
                CHECKS.join(','),
                '--phases',
                'examples,coverage,fuzzing',
                '--max-examples',
                String(examples),
              ],
              ...['--max-time', String(seconds), '--seed', '20261121', '--generation-database', 'none'],
              ...['--no-color', '--warnings', 'off'],
            ],
            { environment: { ...process.env, NO_PROXY: '127.0.0.1' }, timeoutMs: (seconds + 100) * 1000 },
          );
          // It prints the URLs that it made up, however long.
          expect(run.code, run.output.replaceAll(/(.{500}).*/g, '$1…')).toBe(0);
          // It did reach what it tests, and did not stop at the door.
          expect(
            (await api.call('GET', `/${PROJECT}/logs`, { key: KEYS.admin })).json.data.length,
          ).toBeGreaterThan(0);
        },
        (seconds + 120) * 1000,
      );
    },
  );
}
