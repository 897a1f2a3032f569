import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { type AdminApi, KEYS, openAdminApi, PROJECT } from '../admin-api.js';
import { logRecord } from '../log-record.js';
import { findSchemathesis } from '../schemathesis.js';

/** What must be true of every answer: no server error, and nothing that the description does not contain. */
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

/** Tests that schemathesis finds no fault within this time and with this many requests for each route. */
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
              // Schemathesis writes a folder into its working directory.
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
          // Schemathesis prints the URLs that it generated, which can be very long.
          expect(run.code, run.output.replaceAll(/(.{500}).*/g, '$1…')).toBe(0);
          // It reached the routes that it tests, and was not stopped by the check of the key.
          expect(
            (await api.call('GET', `/${PROJECT}/logs`, { key: KEYS.admin })).json.data.length,
          ).toBeGreaterThan(0);
        },
        (seconds + 120) * 1000,
      );
    },
  );
}
