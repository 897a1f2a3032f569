import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { METRICS } from '../../../src/telemetry/names.js';
import { chunk } from '../../support/chat.js';
import { COMPLETION, type Gateway, startGateway } from '../../support/gateway.js';
import { findPrometheus, type Prometheus, startPrometheus } from '../../support/prometheus.js';
import { jsonReply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const folder = fileURLToPath(new URL('../../../deploy/observability', import.meta.url));
const read = (name: string) => readFile(join(folder, name), 'utf8');

interface Rule {
  alert: string;
  expr: string;
}

const rules: Rule[] = parse(await read('prometheus-rules.yaml')).groups.flatMap(
  ({ rules: some }: { rules: Rule[] }) => some,
);
const dashboard = JSON.parse(await read('dashboard.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
);

const found = await findPrometheus();
const missing = 'missing' in found ? found.missing : null;
const programs = 'programs' in found ? found.programs : '';
const promtool = (...parameters: string[]) =>
  runProgram(join(programs, 'promtool'), parameters, { environment: process.env, cwd: folder });

describe.skipIf(missing)(`the alerts${missing === null ? '' : ` (${missing})`}`, () => {
  it('are rules that Prometheus accepts', async () => {
    expect(await promtool('check', 'rules', 'prometheus-rules.yaml')).toMatchObject({ code: 0 });
    expect(await promtool('check', 'config', 'prometheus.yaml')).toMatchObject({ code: 0 });
  });

  it('each fire where something is wrong, and only then', async () => {
    const tested = parse(await read('prometheus-rules.test.yaml')).tests.flatMap(
      ({ alert_rule_test }: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }) =>
        alert_rule_test.filter(({ exp_alerts }) => exp_alerts.length > 0).map(({ alertname }) => alertname),
    );
    expect(tested.sort()).toEqual(rules.map(({ alert }) => alert).sort());
    const result = await promtool('test', 'rules', 'prometheus-rules.test.yaml');
    expect(result.output).toContain('SUCCESS');
    expect(result.code).toBe(0);
  });
});

describe('dashboard and alerts', () => {
  it('use only metrics that exist', () => {
    const known = Object.values(METRICS).map(({ prometheus }) => prometheus as string);
    const asked = [...rules.map(({ expr }) => expr), ...panels.map(([, expr]) => expr)]
      .join('\n')
      .match(/\b(sluice|gen_ai_client)_\w+/g);
    for (const name of new Set(asked)) expect(known).toContain(name.replace(/_(bucket|sum|count)$/, ''));
  });
});

const missingAny = missing ?? missingPrograms;

/** Of a project of its own: a limit that is reached, and refuses. */
async function useUpLimit(gateway: Gateway): Promise<void> {
  gateway.provider.always(jsonReply(COMPLETION));
  const limits = [{ per: 'project', tokens: 1, window: 'month' }];
  const { json: project } = await gateway.admin('POST', '/api/projects', { name: 'limited', limits });
  const path = `/api/projects/${project.uid}`;
  const models = [{ provider: 'fake', model: 'large' }];
  await gateway.admin('POST', `${path}/endpoints`, { name: 'support', models });
  const { json: key } = await gateway.admin('POST', `${path}/api-keys`, { name: 'a', scopes: ['inference'] });
  const body = { model: 'support', messages: [{ role: 'user', content: 'a' }] };
  await waitFor(
    'the limit refuses',
    async () => {
      const call = { key: key.key, body };
      return (await gateway.call('POST', `/${project.uid}/openai/v1/chat/completions`, call)).status === 429;
    },
    { timeoutMs: 10_000 },
  );
}

describe.skipIf(missingAny)('a real Prometheus that scrapes a real engine', () => {
  let gateway: Gateway;
  let prometheus: Prometheus;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-test-'));
    const behaving = fileURLToPath(new URL('../../fixtures/plugins/behaving.mjs', import.meta.url));
    gateway = await startGateway({
      settings: { plugins: [behaving] },
      // The fake provider speaks no TLS.
      providers: (url) => ({
        tls: { api: 'openai', base_url: url.replace('http:', 'https:') },
        priced: {
          api: 'openai',
          base_url: url,
          prices: { large: { input_per_mtok: 1_000, output_per_mtok: 1_000 } },
        },
      }),
      endpoints: [
        {
          name: 'all',
          models: ['small', 'large'].map((model) => ({ provider: 'fake', model, structured_output: true })),
          json_validation: true,
          plugins: [{ plugin: 'behaving', phases: ['request'], config: { behaviour: 'throw' } }],
        },
        { name: 'priced', models: [{ provider: 'priced', model: 'large' }] },
        { name: 'broken', models: [{ provider: 'tls', model: 'large' }] },
        { name: 'busy', models: [{ provider: 'fake', model: 'busy' }] },
      ],
    });
    const { host } = new URL(gateway.sluice.adminUrl);
    const schema = { type: 'object', required: ['where'] };
    const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema } };
    gateway.provider.always(jsonReply(COMPLETION));
    for (let time = 0; time < 3; time++) await gateway.ask({ model: 'all', response_format });
    await gateway.ask({ model: 'priced' });
    await gateway.ask({ model: 'broken' });
    gateway.provider.always(jsonReply({}, { status: 429, headers: { 'retry-after': '60' } }));
    // As often as a model may ask for a pause before it is left out.
    for (let time = 0; time < 10; time++) await gateway.ask({ model: 'busy' });
    const pieces = ['On ', 'its way.'].map((content) => chunk({ content }));
    gateway.provider.always(streamReply([...pieces, `${chunk({}, 'stop')}data: [DONE]\n\n`]));
    const { text } = await gateway.ask({ stream: true });
    expect(text).toContain('way');
    await useUpLimit(gateway);
    prometheus = await startPrometheus(programs, directory, host);
  });

  afterAll(async () => {
    await prometheus?.stop();
    await gateway?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const answers = (expression: string) =>
    waitFor(
      expression,
      async () => {
        const series = await prometheus.query(expression);
        return series.length > 0 ? series : undefined;
      },
      { timeoutMs: 20_000, intervalMs: 100 },
    );

  it.each(panels)('has data for the panel "%s": %s', async (_title, expr) => {
    const expression = expr
      .replaceAll('$project', '.*')
      .replaceAll('$endpoint', '.*')
      .replaceAll('$__rate_interval', '1m');
    await answers(expression);
  });

  it.each(rules)('has the series of $alert', async ({ expr }) => {
    // Without the comparison there is an answer where all is well, too.
    await answers(expr.replace(/ [<>=]=? [\d.]+$/, ''));
  });

  it('sees what went wrong', async () => {
    const [failure] = await answers('sluice_tls_failures_total{provider="tls"} > 0');
    expect(failure?.metric.job).toBe('sluice');
    await answers('sluice_coolings_total{model="busy"} > 0');
    await answers('sluice_plugin_runs_total{plugin="behaving",outcome="error"} > 0');
    await answers('sluice_validations_total{outcome="invalid"} > 0');
    const [clock] = await answers('abs(sluice_clock_offset_seconds)');
    expect(Number(clock?.value[1])).toBeLessThan(5);
  });
});

const COMPOSE_GO = 'github.com/compose-spec/compose-go/v2@v2.9.0';
const downloaded = await runProgram('go', ['mod', 'download', '-json', COMPOSE_GO], {
  environment: process.env,
});
const noSchema = downloaded.code === 0 ? null : `no schema of compose files: ${downloaded.problem}`;

describe.skipIf(noSchema)(`the compose files${noSchema === null ? '' : ` (${noSchema})`}`, () => {
  it.each(['compose.yaml', 'observability/compose.yaml'])(
    '%s follows the schema of compose files',
    async (name) => {
      const { Dir } = JSON.parse(downloaded.stdout) as { Dir: string };
      const schema = JSON.parse(await readFile(join(Dir, 'schema', 'compose-spec.json'), 'utf8'));
      const validate = new Ajv2020({ strict: false, validateFormats: false }).compile({
        ...schema,
        $schema: 'https://json-schema.org/draft/2020-12/schema',
      });
      const file = parse(await readFile(join(folder, '..', name), 'utf8'), { merge: true });
      validate(file);
      expect(validate.errors).toBeNull();
      expect(validate({ ...file, services: { x: { imagee: 'y' } } })).toBe(false);
    },
  );

  it('mount only files that exist', async () => {
    const { services } = parse(await read('compose.yaml'), { merge: true });
    for (const { volumes = [] } of Object.values(services) as {
      volumes?: { type: string; source: string }[];
    }[]) {
      for (const { type, source } of volumes) {
        if (type !== 'bind') continue;
        expect(await readdir(join(folder, '..', source))).not.toEqual([]);
      }
    }
  });
});
