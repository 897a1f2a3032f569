import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { CASE_HEADER, fixtureReply } from '../../support/dialect-provider.js';
import { borrowGatewayOf, type Gateway, KEYS, PROJECT } from '../../support/gateway.js';
import { HardCut } from '../../support/hard-cut.js';
import { preparePython } from '../../support/python-environment.js';
import { jsonReply, type Reply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* The makers' own clients for Python. The checks stand in `test/python`, and each is a test here. */

const PACKAGES = ['openai==3.52.0', 'anthropic==2.11.0'];
const FOLDER = fileURLToPath(new URL('../../python/', import.meta.url));

const PROVIDERS = { chat: { api: 'openai' }, messages: { api: 'anthropic' } };
const ENDPOINTS = Object.keys(PROVIDERS);

const python =
  missingPrograms !== null
    ? { missing: missingPrograms }
    : await preparePython(PACKAGES.join('-').replaceAll('==', '-'), PACKAGES, [
        'python',
        '-c',
        // Quicker than to import them; pip writes this last.
        'from importlib.metadata import version; version("openai"); version("anthropic")',
      ]);
const missing = 'missing' in python ? python.missing : null;

const hardCut = new HardCut();

/** The case that a request names, and those that need more than a fixture. */
const reply: Reply = (response, request) => {
  const name = String(request.headers[CASE_HEADER]);
  if (name === 'hard-cut') return hardCut.reply(response, request);
  if (name === 'cut-now') hardCut.cut();
  if (name === 'count' || name === 'cut-now') return jsonReply({ input_tokens: 14 })(response, request);
  if (name !== 'tools-then-text') return fixtureReply(name)(response, request);
  const hasResults = request.text.includes('21 degrees');
  return fixtureReply(hasResults ? 'text' : 'tool-call')(response, request);
};

interface Outcome {
  name: string;
  problem: string | null;
}

function checksOf(file: string): string[] {
  const source = readFileSync(join(FOLDER, file), 'utf8');
  return [...source.matchAll(/^def (check_\w+)\(/gm)].map(([, name]) => name!);
}

let gateway: Gateway;

async function runChecks(programs: string, file: string): Promise<Map<string, Outcome>> {
  const result = await runProgram(join(programs, 'python'), ['-B', join(FOLDER, file)], {
    environment: {
      ...process.env,
      GATEWAY_URL: `${gateway.sluice.gatewayUrl}/${PROJECT}`,
      GATEWAY_KEY: KEYS.inference,
      GATEWAY_KEY_WITHOUT_SCOPE: KEYS.logs,
      GATEWAY_ENDPOINTS: ENDPOINTS.join(','),
    },
    timeoutMs: 60_000,
  });
  expect(result.code, result.output).toBe(0);
  const outcomes = result.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
  return new Map(outcomes.map((outcome) => [outcome.name, outcome]));
}

describe.skipIf(missing !== null)(`clients for Python${missing === null ? '' : ` (${missing})`}`, () => {
  beforeAll(async () => {
    gateway = await borrowGatewayOf(PROVIDERS);
    gateway.provider.always(reply);
  });
  afterAll(() => gateway?.stop());

  describe.each(['openai', 'anthropic'])('%s', (client) => {
    const file = `${client}_checks.py`;
    let outcomes: Map<string, Outcome>;
    beforeAll(async () => {
      outcomes = await runChecks((python as { programs: string }).programs, file);
    });

    it.each(checksOf(file).map((name) => [name.replace('check_', '').replaceAll('_', ' '), name]))(
      '%s',
      (_title, name) => {
        expect(outcomes.get(name)).toEqual({ name, problem: null });
      },
    );
  });
});
