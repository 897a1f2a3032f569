import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { AGENTS, type Agent, type Setting, type Turn } from '../../agents/agents.js';
import { COLUMNS } from '../../agents/columns.js';
import { installedAgents } from '../../agents/install.js';
import { AgentModel } from '../../agents/model.js';
import { borrowGateway, type Gateway, KEYS, PROJECT } from '../../support/gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

const isWhole = process.env.AGENTS === 'all';
const only = process.env.AGENT;
const onlyColumn = process.env.COLUMN;
const installed =
  missingPrograms === null ? await installedAgents({ install: isWhole }) : { missing: missingPrograms };
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf('missing' in installed)('agents', () => {
  const model = new AgentModel();
  let gateway: Gateway;
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sluice-agents-'));
    gateway = await borrowGateway({
      providers: (url) =>
        Object.fromEntries(
          Object.entries(COLUMNS).map(([name, { provider }]) => [
            name,
            { ...provider, base_url: url.replace('/v1', `/${name}/v1`), api_key_env: 'FAKE_KEY' },
          ]),
        ),
      endpoints: Object.entries(COLUMNS).map(([name, column]) => ({
        name,
        models: [{ provider: name, model: column.model, structured_output: true }],
        timeout_ms: 60_000,
      })),
    });
    gateway.provider.always(model.reply);
  });
  afterAll(async () => {
    await gateway?.stop();
    if (process.env.KEEP === undefined) await rm(root, { recursive: true, force: true });
  });

  async function open(
    agent: Agent,
    column: string,
  ): Promise<{ run(turn: Turn, timeoutMs?: number): Promise<string>; picture: string }> {
    const home = join(root, `${agent.name.replaceAll(' ', '-')}-${column}`);
    const folder = join(home, 'work');
    await mkdir(folder, { recursive: true });
    // Agents read no file from outside of the folder that they work in.
    const picture = join(folder, 'picture.png');
    await writeFile(picture, PICTURE);
    const setting: Setting = {
      home,
      folder,
      project: `${gateway.sluice.gatewayUrl}/${PROJECT}`,
      key: KEYS.all,
      model: column,
    };
    await agent.prepare?.(setting);
    const { modules } = installed as { modules: string };
    const program = join(modules, agent.program);
    const environment = {
      PATH: process.env.PATH,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local', 'share'),
      XDG_CACHE_HOME: join(home, '.cache'),
      TMPDIR: home,
      NO_COLOR: '1',
      CI: '1',
      ...agent.environment(setting),
    };
    const run = async (turn: Turn, timeoutMs = 60_000) => {
      const parameters = agent.parameters(setting, turn);
      const command = agent.script ? process.execPath : program;
      const ran = await runProgram(command, agent.script ? [program, ...parameters] : parameters, {
        environment,
        cwd: folder,
        timeoutMs,
      });
      if (process.env.SHOW !== undefined) {
        const shown = JSON.stringify(turn).slice(0, 80);
        console.log(`--- ${agent.name} ${column} ${shown} code ${ran.code}\n${ran.output.slice(-1500)}`);
      }
      return ran.output;
    };
    return { run, picture };
  }

  // The short form: a tool call of each, on a provider of another API.
  it.skipIf(isWhole).each(AGENTS.map((agent) => [agent.name, agent.shortColumn, agent] as const))(
    '%s on %s',
    { timeout: 120_000 },
    async (_name, column, agent) => {
      const { run } = await open(agent, column);
      expect(await run({ prompt: 'Run the command. RUN-2' })).toContain('DONE-2');
      expect(model.refusals).toEqual([]);
    },
  );

  // The long form: every agent on every kind of provider.
  const chosen = isWhole ? AGENTS.filter(({ name }) => only === undefined || name === only) : [];
  for (const agent of chosen) {
    describe(agent.name, () => {
      for (const column of Object.keys(COLUMNS)) {
        if (onlyColumn !== undefined && column !== onlyColumn) continue;
        it(`on ${column}`, { timeout: 300_000 }, async () => {
          const before = model.refusals.length;
          const { run, picture } = await open(agent, column);
          const seen = {
            said: (await run({ prompt: 'Just answer. SAY-1' })).includes('SAID-1'),
            tool: (await run({ prompt: 'Run the command. RUN-2', goesOn: true })).includes('DONE-2'),
            picture: (
              await run({
                prompt: `What is in the picture? SEE-3 ${picture}`,
                picture,
                goesOn: true,
              })
            ).includes('SAW-3'),
            long: (
              await run({ prompt: `${'The quick brown fox. '.repeat(3_000)} SAY-4`, goesOn: true })
            ).includes('SAID-4'),
          };
          expect({ ...seen, refusals: model.refusals.slice(before) }).toEqual({
            said: true,
            tool: true,
            picture: true,
            long: true,
            refusals: [],
          });
        });
      }
    });
  }
});
