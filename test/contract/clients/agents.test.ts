import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENTS, type Agent } from '../../agents/agents.js';
import { checkAgent } from '../../agents/checks.js';
import { COLUMNS } from '../../agents/columns.js';
import { type Installed, installedAgents } from '../../agents/install.js';
import { AgentModel } from '../../agents/model.js';
import { openAgent } from '../../agents/run.js';
import { agentTable, noteSeen, readSeen } from '../../agents/table.js';
import { readPage, snippetsOf, tableOf, withTable, writePage } from '../../clients/page.js';
import { borrowGateway, type Gateway, KEYS, PROJECT } from '../../support/gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

/*
 * Coding agents as they come from npm and PyPI, before providers as strict as the real ones. The suite has each run one
 * command; `npm run test:agents` asks each of them everything on each kind of provider and writes the table of
 * docs/clients.md. AGENT and COLUMN choose one of them.
 */

const isWhole = process.env.AGENTS === 'all';
const { AGENT, COLUMN } = process.env;
const installed =
  missingPrograms === null ? await installedAgents({ install: isWhole }) : { missing: missingPrograms };

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

  const open = (agent: Agent, column: string) => {
    const project = `${gateway.sluice.gatewayUrl}/${PROJECT}`;
    return openAgent(agent, installed as Installed, { root, project, key: KEYS.all, model: column });
  };

  describe.skipIf(isWhole)('with a tool, on a provider of another API', () => {
    const short = AGENTS.filter(({ editsInText }) => !editsInText);
    it.each(short.map((agent) => [agent.name, agent.shortColumn, agent] as const))(
      '%s on %s',
      { timeout: 120_000 },
      async (_name, column, agent) => {
        const { run } = await open(agent, column);
        expect(await run({ prompt: 'Run the command. RUN-2' })).toContain('DONE-2');
        expect(model.refusals).toEqual([]);
      },
    );
  });

  const chosen = AGENTS.filter(({ name }) => AGENT === undefined || name === AGENT);
  const columns = Object.keys(COLUMNS).filter((name) => COLUMN === undefined || name === COLUMN);
  describe.each(isWhole ? columns : [])('on %s', (column) => {
    it.each(chosen)('$name', { timeout: 900_000 }, async (agent) => {
      const before = model.refusals.length;
      const checks = await checkAgent(agent, await open(agent, column), model);
      const refusals = model.refusals.slice(before);
      await noteSeen(agent.name, column, { ...checks, 'nothing refused': refusals.length === 0 });
      const failed = Object.entries(checks).filter(([, ok]) => !ok);
      if (agent.limits?.[column] === undefined) expect([failed, refusals]).toEqual([[], []]);
      else expect(failed, 'it has the limit still').not.toEqual([]);
    });
  });
});

describe('the page about clients', () => {
  it('has the table of agents with the results seen here', async () => {
    const lines = agentTable(await readSeen());
    if (isWhole) await writePage(withTable(readPage(), 'agents', lines));
    expect(tableOf(readPage(), 'agents')).toEqual(lines);
  });

  it('has lines to paste for each agent', () => {
    const sections = snippetsOf(readPage(), /^(sh|json|toml)$/);
    for (const { name } of AGENTS) expect(sections, name).toHaveProperty([name]);
  });
});
