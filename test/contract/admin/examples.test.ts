import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, KEYS, PROJECT, startGateway } from '../../support/gateway.js';
import { logRecord } from '../../support/log-record.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* The commands of docs/admin-api.md, pasted into a shell from the top of the page to its end. */

/** The first is refused whatever is sent, since plugins are code; the others are for engines alone. */
const WITHOUT_EXAMPLE = ['POST /api/plugins', 'GET /api/directory', 'POST /api/logs'];

/** Every call of curl tells on standard error what became of it. */
const TELLING = `curl() {
  command curl -sS --max-time 10 -w '%{stderr}@@ %{http_code} %{method} %{url_effective}\\n' "$@"
}`;

interface Called {
  status: number;
  method: string;
  path: string;
}

const page = await readFile(new URL('../../../docs/admin-api.md', import.meta.url), 'utf8');
const commands = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);

const noCurl = await promisify(execFile)('curl', ['--version']).then(
  () => null,
  () => 'curl is not installed',
);
const missing = missingPrograms ?? noCurl;

describe.skipIf(missing !== null)(
  `the commands of the admin API's page${missing ? ` (${missing})` : ''}`,
  () => {
    let gateway: Gateway;
    let folder: string;
    let calls: Called[];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sluice-examples-'));
      gateway = await startGateway({
        providers: (base_url) => ({ mock: { api: 'openai', base_url, api_key_env: 'FAKE_KEY' } }),
        endpoints: [{ name: 'demo', models: [{ provider: 'mock', model: 'large' }] }],
      });
      // As many as make a job of a change.
      const old = Array.from({ length: 10_001 }, () =>
        logRecord({ project_uid: PROJECT, tags: ['task:old'] }),
      );
      await gateway.sluice.database.collection('logs').insertMany(old as never);
      calls = await paste();
    });
    afterAll(async () => {
      await gateway?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    async function paste(): Promise<Called[]> {
      const { adminUrl, gatewayUrl, adminKey } = gateway.sluice;
      const names = { ADMIN: adminUrl, GATEWAY: gatewayUrl, PROJECT, KEY: KEYS.all, ADMIN_KEY: adminKey };
      const own = Object.entries(names).map(([name, value]) => `${name}='${value}'`);
      const script = [TELLING, ...commands.map((block) => withNames(block, own))].join('\n');
      const { stderr } = await promisify(execFile)('bash', ['-c', script], {
        cwd: folder,
        maxBuffer: 1 << 26,
      });
      return [...stderr.matchAll(/^@@ (\d+) (\S+) (\S+)$/gm)].map(([, status, method, url]) => ({
        status: Number(status),
        method: method!,
        path: new URL(url!).pathname,
      }));
    }

    /** The block that sets the names gets those of this system instead; what it sets beside them stays. */
    function withNames(block: string, own: string[]): string {
      return block.startsWith('ADMIN=') ? [block, ...own].join('\n') : block;
    }

    it('all succeed', () => {
      expect(calls.length).toBeGreaterThan(50);
      expect(calls.filter(({ status }) => status < 200 || status > 299)).toEqual([]);
    });

    it('cover every operation of the description', async () => {
      const answer = await fetch(`${gateway.sluice.adminUrl}/openapi.json`);
      const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> };
      const described = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      // A path without names in it is itself, and not an example of one with names.
      const exact = new Set(Object.keys(paths));
      const isExampleOf = (operation: string, { method, path }: Called) => {
        const [wanted, template] = operation.split(' ') as [string, string];
        if (method !== wanted) return false;
        if (exact.has(path)) return path === template;
        return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
      };
      const left = described.filter((operation) => !calls.some((call) => isExampleOf(operation, call)));
      expect(left).toEqual(WITHOUT_EXAMPLE);
    });

    it('have the effect that the page says', async () => {
      const audit = await gateway.sluice.database.collection('audit').find().toArray();
      expect(audit.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['project.create', 'endpoint.update']),
      );
      expect(await readFile(join(folder, 'sft.jsonl'), 'utf8')).toContain('"messages"');
    });
  },
);
