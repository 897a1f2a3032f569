import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { ENDPOINTS, startClientsGateway } from '../../clients/gateway.js';
import {
  errorTable,
  featureHead,
  featureLines,
  mergedTable,
  readPage,
  type Seen,
  type SeenError,
  snippetsOf,
  tableOf,
  withTable,
  writePage,
} from '../../clients/page.js';
import { type Gateway, KEYS, PROJECT } from '../../support/gateway.js';
import { preparePythonOf } from '../../support/python-environment.js';
import { INVALID_MARK } from '../../support/scripted-model.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { Wiretap } from '../../support/wiretap.js';

/*
 * The clients for Python that people use beside the makers' own, with their newest versions that install together. The
 * checks stand in test/clients/python; the lines of docs/clients.md are pasted, and its tables compared with what was
 * seen. `npm run test:clients` runs each check before each kind of provider and writes the tables; the suite runs those
 * of IN_SUITE before one kind: the others need minutes to install, and seconds each to be loaded.
 */

const EVERY_CLIENT: [file: string, requirements: string][] = [
  ['makers', 'openai-3'],
  ['instructor_rows', 'instructor'],
  ['pydantic_ai_rows', 'openai-3'],
  ['openai_agents_rows', 'openai-3'],
  ['litellm_rows', 'openai-2'],
  ['langchain_rows', 'openai-3'],
  ['llama_index_rows', 'openai-2'],
  ['dspy_rows', 'openai-2'],
  ['outlines_rows', 'openai-3'],
  ['llm_rows', 'openai-3'],
  ['aider_rows', 'aider'],
];

/** What several clients of the same requirements import: it costs each of them seconds. */
const SHARED_PACKAGES: Record<string, string[]> = {
  'openai-3': ['openai', 'anthropic', 'google.genai'],
  'openai-2': ['litellm', 'anthropic'],
};

const IN_SUITE = 'openai-3';

const isWhole = process.env.CLIENTS === 'all';
const CLIENTS = EVERY_CLIENT.filter(([, requirements]) => isWhole || requirements === IN_SUITE);
const folder = fileURLToPath(new URL('../../clients/', import.meta.url));
const page = readPage();
const snippets = snippetsOf(page, /^(python|yaml|sh)$/);

const environments = new Map<string, { programs: string } | { missing: string }>();
for (const name of new Set(CLIENTS.map(([, requirements]) => requirements))) {
  const missing = missingPrograms === null ? undefined : { missing: missingPrograms };
  environments.set(name, missing ?? (await preparePythonOf(join(folder, 'requirements', `${name}.txt`))));
}

interface Line extends Partial<Seen>, Partial<SeenError> {
  kinds?: string[];
  tries?: number;
  snippet?: string;
  found?: { log_id?: string; request_id?: string }[];
  lost?: string;
  log_id?: string;
  /** After the lines of a file: how its process ended. */
  file?: string;
  code?: number;
}

/** What the clients of a file did and got. */
interface Run {
  lines: Line[];
  answers: string;
}

const isFeature = (line: Line): line is Line & Seen => line.feature !== undefined;

describe.skipIf(missingPrograms !== null)('clients for Python', () => {
  let gateway: Gateway;
  let home: string;
  const all: Line[] = [];

  beforeAll(async () => {
    gateway = await startClientsGateway();
    home = await mkdtemp(join(tmpdir(), 'sluice-clients-'));
  });
  afterAll(async () => {
    await gateway?.stop();
    await rm(home, { recursive: true, force: true });
  });

  /** All files with these requirements, one after the other. */
  async function runAll(requirements: string, programs: string): Promise<Map<string, Run>> {
    const files = CLIENTS.filter(([, needed]) => needed === requirements).map(([file]) => file);
    const taps = new Map<string, Wiretap>();
    for (const file of files) taps.set(file, await Wiretap.open(gateway.sluice.gatewayUrl));
    const parameters = [
      join(folder, 'python', 'forked.py'),
      (SHARED_PACKAGES[requirements] ?? []).join(),
      ...files.map((file) => `${file}=${taps.get(file)!.url}/${PROJECT}`),
    ];
    const result = await runProgram(join(programs, 'python'), parameters, {
      environment: {
        PATH: process.env.PATH,
        CLIENTS: process.env.CLIENTS,
        CLIENTS_PROVIDER: gateway.provider.baseUrl,
        CLIENTS_KEY: KEYS.all,
        CLIENTS_ENDPOINTS: JSON.stringify(ENDPOINTS),
        CLIENTS_SNIPPETS: JSON.stringify(snippets),
        // Nothing leaves this machine: prices, encodings and news are not fetched.
        HTTPS_PROXY: 'http://127.0.0.1:9',
        NO_PROXY: '127.0.0.1',
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        HOME: home,
        LLM_USER_PATH: join(home, 'llm'),
      },
      timeoutMs: 300_000 * files.length,
    });
    for (const tap of taps.values()) await tap.close();
    expect(result.code, result.output).toBe(0);
    const runs = new Map<string, Run>();
    let lines: Line[] = [];
    for (const line of result.stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Line)) {
      if (line.file === undefined) {
        lines.push(line);
        continue;
      }
      expect(line, result.output).toEqual({ file: line.file, code: 0 });
      runs.set(line.file, { lines, answers: taps.get(line.file)!.answers });
      lines = [];
    }
    return runs;
  }

  const runs = new Map<string, Promise<Map<string, Run>>>();
  async function run(file: string, requirements: string, programs: string): Promise<Run> {
    if (!runs.has(requirements)) runs.set(requirements, runAll(requirements, programs));
    return (await runs.get(requirements)!).get(file)!;
  }

  async function rate(path: string): Promise<number> {
    const { status } = await gateway.call('POST', `/${PROJECT}/feedback/${path}`, {
      body: { score: 1, weight: 1 },
    });
    return status;
  }

  const logOf = ({ log_id, request_id }: { log_id?: string; request_id?: string }) =>
    gateway.sluice.database
      .collection<{ _id: string }>('logs')
      .findOne(log_id === undefined ? { client_request_id: request_id } : { _id: log_id });

  describe.each(CLIENTS)('%s', (file, requirements) => {
    const environment = environments.get(requirements)!;
    const missing = 'missing' in environment ? environment.missing : null;
    let lines: Line[] = [];
    let answers = '';

    describe.skipIf(missing !== null)(missing === null ? 'with their packages' : missing, () => {
      beforeAll(async () => {
        const { programs } = environment as { programs: string };
        ({ lines, answers } = await run(file, requirements, programs));
        all.push(...lines);
      }, 320_000 * CLIENTS.length);

      it('do all that the table says, and no more', () => {
        const features = lines.filter(isFeature);
        expect(features.length).toBeGreaterThan(0);
        expect(features.filter(({ problem, limit }) => (problem === null) === (limit !== null))).toEqual([]);
      });

      it('get nothing of an invalid answer where the endpoint can check it', () => {
        const unjudged = lines.some(
          ({ feature, limit }) => feature?.startsWith('fallback') && limit !== null,
        );
        if (!unjudged) expect(answers).not.toContain(INVALID_MARK);
      });

      it('can be used as the page says, and their answers can be rated', async () => {
        for (const { snippet, problem, found } of lines.filter((line) => line.snippet !== undefined)) {
          expect(problem, snippet).toBeNull();
          for (const [index, { log_id, request_id }] of found!.entries()) {
            if (log_id !== undefined) expect(await rate(log_id), snippet).toBe(200);
            if (request_id !== undefined) expect(await rate(`by-request/${request_id}`), snippet).toBe(200);
            if (!snippets[snippet!]![index]!.includes('"tier": "pro"')) continue;
            await expect
              .poll(() => logOf({ log_id, request_id }), { message: snippet })
              .toMatchObject({ tags: ['tier:pro'], feedback_count: 1 });
          }
        }
      });

      it('do not show what the page says they hide', async () => {
        for (const { lost, log_id } of lines.filter((line) => line.lost !== undefined)) {
          expect((await gateway.log(log_id!)).metadata, lost).toEqual({});
        }
      });
    });
  });

  it('are listed in the tables of the page with the results seen here', async () => {
    const rows = all.filter((line) => line.kinds !== undefined) as { row: string; kinds: string[] }[];
    const missing = [...environments.values()].some((environment) => 'missing' in environment);
    const features = mergedTable(
      tableOf(page, 'python'),
      featureHead(),
      featureLines(rows, all.filter(isFeature)),
      missing || !isWhole,
    );
    if (!isWhole) return expect(tableOf(page, 'python')).toEqual(features);
    expect(missing, 'the whole table needs every client').toBe(false);
    const errors = errorTable(
      all.filter((line) => line.error !== undefined) as SeenError[],
      all.filter((line) => line.tries !== undefined) as { row: string; tries: number }[],
    );
    await writePage(withTable(withTable(readPage(), 'python', features), 'python-errors', errors));
  });
});
