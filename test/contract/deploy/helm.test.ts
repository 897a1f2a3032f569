import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseConfig } from '../../../src/config/load.js';
import { ENVOY } from '../../../src/local/binaries/programs.js';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { crdsOf, GATEWAY_DEFINITIONS } from '../../support/crds.js';
import { goProgram, HELM } from '../../support/go-program.js';
import { preparePython } from '../../support/python-environment.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const chart = join(root, 'deploy/helm/sluice');
const values = (await readdir(join(chart, 'ci'))).sort();
/** Rendered from the chart and committed, for those who have no helm: the release's name and its values. */
const COMMITTED = [
  ['sluice', 'gateway'],
  ['sluice-admin', 'admin'],
  ['app', 'sidecar'],
] as const;

const helm = await goProgram(HELM);
const missing = 'missing' in helm ? helm.missing : null;
const run = (...parameters: string[]) =>
  runProgram('binary' in helm ? helm.binary : 'helm', parameters, { environment: process.env });

const crds = missing === null ? await crdsOf(GATEWAY_DEFINITIONS) : { missing };
const definitions = 'check' in crds ? crds : undefined;

const rendered = new Map<string, ReturnType<typeof run>>();
/** The same asked again is not rendered again. */
function template(name: string, file: string, ...more: string[]): ReturnType<typeof run> {
  const key = [name, file, ...more].join('\0');
  const result =
    rendered.get(key) ?? run('template', name, chart, '--namespace', 'sluice', '--values', file, ...more);
  rendered.set(key, result);
  return result;
}

const valuesFile = (name: string) => join(chart, 'ci', `${name}-values.yaml`);

interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: { name: string; value?: string }[];
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}

/** As it is written: each kind has members of its own. */
type Manifest = ReturnType<typeof JSON.parse>;

async function workloadOf(name: string, ...more: string[]) {
  const { stdout, problem } = await template('x', valuesFile(name), ...more);
  if (problem !== '') throw new Error(problem);
  const documents: Manifest[] = parseAllDocuments(stdout).map((document) => document.toJS());
  const workload = documents.find(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  const spec = workload.spec.template.spec;
  const containers: Container[] = spec.containers;
  return {
    documents,
    workload,
    spec,
    containers,
    initContainers: (spec.initContainers ?? []) as Container[],
  };
}

describe.skipIf(missing)(`the chart${missing === null ? '' : ` (${missing})`}`, () => {
  const manifestsOf = async (name: string, ...more: string[]) => (await workloadOf(name, ...more)).documents;
  const ofKind = (documents: Manifest[], kind: string) => documents.filter((one) => one?.kind === kind);

  it.each(values)('passes the linter with %s', async (file) => {
    const result = await run('lint', chart, '--strict', '--values', join(chart, 'ci', file));
    expect(result.output).not.toMatch(/\[(WARNING|ERROR)\]/);
    expect(result.code).toBe(0);
  });

  it.each(COMMITTED)('renders the manifests of %s that are committed', async (release, name) => {
    const { stdout, problem } = await template(release, valuesFile(name));
    expect(problem).toBe('');
    const head = `# Rendered from deploy/helm/sluice with ci/${name}-values.yaml: change those, and \`npx vitest -u\` this test.\n`;
    await expect(head + stdout).toMatchFileSnapshot(join(root, `deploy/kubernetes/${name}.yaml`));
  });

  it.runIf(definitions !== undefined)('writes HTTPRoutes as the Gateway API defines them', async () => {
    for (const name of ['published', 'published-admin']) {
      const [route] = ofKind(await manifestsOf(name), 'HTTPRoute');
      expect(definitions!.check(route)).toEqual([]);
    }
  });

  it('gives no privileges to any container', async () => {
    for (const name of ['gateway', 'admin', 'sidecar', 'persistent']) {
      const { spec, containers, initContainers } = await workloadOf(name);
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, fsGroup: 1000 });
      for (const container of [...containers, ...initContainers]) {
        expect(container.securityContext, `${name} ${container.name}`).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it('has Envoy beside the engine, in the version that the tests run, and none beside an admin service', async () => {
    const { containers, initContainers } = await workloadOf('gateway');
    expect(containers.map(({ name }) => name)).toEqual(['engine', 'envoy']);
    expect(initContainers.map(({ name }) => name)).toEqual(['envoy-config']);
    expect(containers[1]?.image).toBe(`envoyproxy/envoy:v${ENVOY.wheel.version}`);
    const admin = await workloadOf('admin');
    expect(admin.containers.map(({ name, args }) => [name, args])).toEqual([
      ['engine', ['serve', '--role', 'admin']],
    ]);
    expect(admin.initContainers).toEqual([]);
  });

  it('makes the gateway of a sidecar reachable from its pod only', async () => {
    const hostOf = async (name: string) =>
      (await workloadOf(name)).containers[0]?.env?.find((variable) => variable.name === 'SLUICE_HOST')?.value;
    expect(await hostOf('sidecar')).toBe('127.0.0.1');
    expect(await hostOf('gateway')).toBe('0.0.0.0');
  });

  const variablesOf = async (name: string, ...more: string[]) => {
    const [engine] = (await workloadOf(name, ...more)).containers;
    return Object.fromEntries(engine!.env!.map((variable) => [variable.name, variable.value]));
  };

  it('does not publish the admin port together with the gateway', async () => {
    const services = ofKind(await manifestsOf('published'), 'Service');
    expect(services.map(({ metadata, spec }) => [metadata.name, spec.type, spec.ports])).toEqual([
      ['x-admin', 'ClusterIP', [{ name: 'admin', port: 8081, targetPort: 'admin' }]],
      ['x', 'LoadBalancer', [{ name: 'http', port: 80, targetPort: 'gateway' }]],
    ]);
    const more = ['--set', 'admin.service.type=NodePort,admin.service.port=9000'];
    const [admin] = ofKind(await manifestsOf('published', ...more), 'Service');
    expect(admin!.spec).toMatchObject({ type: 'NodePort', ports: [{ port: 9000, targetPort: 'admin' }] });
  });

  it.each([
    ['admin', 'x-admin'],
    ['sidecar', 'x-admin'],
  ])('has no Service for the gateway in mode %s', async (name, service) => {
    const services = ofKind(await manifestsOf(name), 'Service');
    expect(services.map(({ metadata }) => metadata.name)).toEqual([service]);
  });

  it('names the Service of the admin port after the release, without repeating its ending', async () => {
    const { stdout } = await template('sluice-admin', valuesFile('admin'));
    const documents = parseAllDocuments(stdout).map((document) => document.toJS());
    expect(ofKind(documents, 'Service').map(({ metadata }) => metadata.name)).toEqual(['sluice-admin']);
  });

  it.each([
    ['published', 'x', 80, ['models.example']],
    ['published-admin', 'x-admin', 8081, undefined],
  ])('connects an Ingress and an HTTPRoute of %s to the Service %s', async (name, service, port, hosts) => {
    const documents = await manifestsOf(name);
    const [ingress] = ofKind(documents, 'Ingress');
    const [rule] = ingress!.spec.rules;
    const backend = { service: { name: service, port: { number: port } } };
    expect(rule.http.paths).toEqual([{ path: '/', pathType: 'Prefix', backend }]);
    expect(rule.host).toBe(hosts?.[0]);
    const [route] = ofKind(documents, 'HTTPRoute');
    expect(route!.spec.rules[0].backendRefs).toEqual([{ name: service, port }]);
    expect(route!.spec.hostnames).toEqual(hosts);
  });

  it('mounts additional volumes where the engine, and the writer of the bootstrap, find them', async () => {
    const { spec, containers, initContainers } = await workloadOf('published');
    expect(spec.volumes).toContainEqual({ name: 'plugins', configMap: { name: 'sluice-plugins' } });
    const mount = { name: 'plugins', mountPath: '/etc/sluice-plugins', readOnly: true };
    expect(initContainers[0]!.volumeMounts).toContainEqual(mount);
    expect(containers[0]!.volumeMounts).toContainEqual(mount);
    expect(containers[1]!.volumeMounts).not.toContainEqual(mount);
  });

  it.each([
    ['gateway', 'base URLs of a project', '/00000000-0000-4000-8000-000000000001/openai/v1'],
    ['admin', 'The admin service is at http://x-admin.sluice:8081', 'port-forward svc/x-admin 8081:8081'],
    ['sidecar', 'The app finds its models at http://127.0.0.1:8080', 'has this release\u2019s health'],
  ])('explains after an installation of %s what to do next', async (name, ...lines) => {
    const notes = await run(
      ...['install', 'x', chart, '--dry-run=client', '--namespace', 'sluice', '--values', valuesFile(name)],
    );
    const text = notes.output.replaceAll("'", '\u2019');
    for (const line of lines) expect(text).toContain(line);
  });

  it('configures an admin service with the address of the gateway', async () => {
    expect(await variablesOf('admin')).toMatchObject({ SLUICE_GATEWAY_URL: 'https://models.example' });
    expect(await variablesOf('gateway')).not.toHaveProperty('SLUICE_GATEWAY_URL');
  });

  it('gives no access to MongoDB to engines whose directory and logs go through an admin service', async () => {
    expect(await variablesOf('gateway')).toHaveProperty('MONGODB_URI');
    expect(await variablesOf('through-admin')).not.toHaveProperty('MONGODB_URI');
    const { documents } = await workloadOf('through-admin');
    const config = documents.find(({ kind }) => kind === 'ConfigMap').data['sluice.yaml'] as string;
    const result = parseConfig(config, { file: '/etc/sluice/sluice.yaml', env: { ENGINE_KEY: 'engines' } });
    expect(result).toMatchObject({ config: { logs: { to: 'http://sluice-admin:8081' } } });
    // Of a configuration that the chart does not see.
    const other = ['--set', 'config=null,existingConfigMap=other'];
    expect(await variablesOf('through-admin', ...other)).not.toHaveProperty('MONGODB_URI');
  });

  it('contains no secret: the program finds them where the chart mounts them', async () => {
    const { documents, containers } = await workloadOf('gateway');
    expect(documents.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const config = documents.find(({ kind }) => kind === 'ConfigMap').data['sluice.yaml'] as string;
    const mounts = containers[0]!.volumeMounts.map(({ mountPath }) => mountPath);
    expect(mounts).toContain('/etc/sluice-secrets/openai');
    const result = parseConfig(config, {
      file: '/etc/sluice/sluice.yaml',
      env: { APP_KEY: 'sk-app' },
      keyFiles: new Map([['/etc/sluice-secrets/openai/key', { text: 'sk-provider' }]]),
    });
    expect(result).not.toHaveProperty('mistakes');
  });

  it.each([
    ['gateway', ['config=null'], 'There is no configuration'],
    ['gateway', ['existingConfigMap=other'], '`config` and `existingConfigMap` are both set'],
    ['gateway', ['mongodb.uriSecret.name='], '`mongodb.uriSecret.name` is not set'],
    ['gateway', ['adminKeySecret.name='], '`adminKeySecret.name` is not set'],
    ['gateway', ['engine.role=engine'], '`engine.role: engine` needs `admin.url`'],
    ['sidecar', ['sidecar.app.image='], '`mode: sidecar` needs `sidecar.app.image`'],
    ['persistent', ['autoscaling.enabled=true'], '`spool.persistent` and `autoscaling.enabled` exclude'],
    ['admin', ['spool.persistent=true'], '`spool.persistent` is for `mode: gateway`'],
    ['full', ['autoscaling.minReplicas=40'], '`autoscaling.minReplicas` is over'],
    ['gateway', ['drain.terminationGracePeriodSeconds=35'], '(35) leaves requests no time'],
    ['gateway', ['config.engine.workers=auto'], '`engine.workers: auto` in `config` counts processors'],
    ['gateway', ['spool.size=1Gi'], '`spool.size` (1Gi) is too small for `spool.max_bytes` of `config`'],
    ['gateway', ['config.spool.max_bytes=2000000000'], '(2000000000) and a tenth more'],
    ['gateway', ['config.projects[0].api_keys[0].key=sk'], 'The key "app" stands in `config`'],
    ['through-admin', ['mongodb.throughAdmin=false'], '`mongodb.uriSecret.name` is not set'],
    [
      'through-admin',
      ['mongodb.uriSecret.name=m'],
      '`mongodb.throughAdmin` and `mongodb.uriSecret.name` are both',
    ],
    [
      'gateway',
      ['engine.role=engine,admin.url=http://a:1,mongodb.throughAdmin=true,mongodb.uriSecret.name='],
      '`mongodb.throughAdmin` needs `directory.from` and `logs.to`',
    ],
    ['through-admin', ['config.logs=null'], "'/config/logs': got null"],
    ['through-admin', ['config.directory.key=k'], 'The key of engines stands in `config`'],
    ['admin', ['mongodb.throughAdmin=true'], '`mongodb.throughAdmin` is for `engine.role: engine`'],
    ['admin', ['gateway.url=models.example'], 'url'],
    ['gateway', ['mode=router'], 'mode'],
    ['gateway', ['replica=3'], 'replica'],
    ['gateway', ['image.pullPolicy=Sometimes'], 'pullPolicy'],
    ['full', ['admin.url=sluice-admin'], 'url'],
    ['gateway', ['config.providrs.x=1'], 'providrs'],
    ['gateway', ['config.providers.openai.api_key=sk'], 'api_key'],
    [
      'gateway',
      ['config.projects[0].endpoints[0].timeout_ms=5s'],
      '/config/projects/0/endpoints/0/timeout_ms',
    ],
    ['gateway', ['config.projects[0].endpoints[0].models[0].provider=opnai'], 'the provider "opnai"'],
    [
      'gateway',
      ['engine.fileSecrets=null'],
      'names the file /etc/sluice-secrets/openai/key, which no container',
    ],
    ['gateway', ['engine.envFromSecrets=null'], 'names the variable APP_KEY, which no container has'],
    ['gateway', ['engine.env[0].name=A'], "missing property 'value'"],
    ['gateway', ['engine.env[0].name=SLUICE_ADMIN_PORT,engine.env[0].value=a'], 'this chart sets it'],
    ['gateway', ['engine.env[0].name=MONGODB_URI,engine.env[0].value=a'], 'set `mongodb.uriSecret` instead'],
    ['gateway', ['envoy.image.tag=v1.36.2'], 'needs Envoy 1.40 or later'],
    [
      'gateway',
      ['drain.terminationGracePeriodSeconds=634'],
      '(634) is too short: a request to the endpoint "support"',
    ],
    ['sidecar', ['sidecar.app.name=engine'], 'which a container of this chart is called'],
    ['sidecar', ['ingress.enabled=true'], 'have nothing to lead to with `mode: sidecar`'],
    ['published', ['httpRoute.parentRefs=null'], '`httpRoute.parentRefs` is empty'],
    ['published', ['extraVolumes[0].name=data'], '`extraVolumes` has "data"'],
    ['published', ['extraVolumeMounts[0].name=plugin'], 'names the volume "plugin"'],
  ])('refuses %s with %j, and says why', async (name, changes, message) => {
    // Lists are replaced whole by --set; this one keeps the key's name.
    const more = changes.flatMap((change) =>
      change.startsWith('config.projects')
        ? ['--set', `${change},config.projects[0].api_keys[0].name=app`]
        : ['--set', change],
    );
    const result = await template('x', valuesFile(name), ...more);
    expect(result.code).not.toBe(0);
    expect(result.output).toContain(message);
  });
});

const validator =
  missing === null
    ? await preparePython(
        'kubernetes-validate-1.37.0',
        ['kubernetes-validate==1.37.0'],
        ['kubernetes-validate', '--version'],
      )
    : { missing };
const noValidator = 'missing' in validator ? validator.missing : null;

describe.skipIf(noValidator)(`the manifests${noValidator === null ? '' : ` (${noValidator})`}`, () => {
  const versions = ['1.29', '1.34'];

  it.each(versions)('are accepted by Kubernetes %s', async (version) => {
    const directory = await temporaryFolder();
    const files: string[] = [];
    for (const file of values) {
      files.push(join(directory, file));
      await writeFile(files.at(-1)!, (await template('x', join(chart, 'ci', file))).stdout);
    }
    for (const [, name] of COMMITTED) files.push(join(root, `deploy/kubernetes/${name}.yaml`));
    const { programs } = validator as { programs: string };
    const result = await runProgram(
      join(programs, 'kubernetes-validate'),
      ['--strict', '-k', version, ...files],
      { environment: process.env },
    );
    expect(result.problem).toBe('');
    // Of the kinds, these are not of Kubernetes itself.
    const unknown = [...result.output.matchAll(/^WARN.* kind (\w+)/gm)].map(([, kind]) => kind);
    expect(new Set(unknown)).toEqual(new Set(['ServiceMonitor', 'HTTPRoute']));
  });

  it('are checked by a validator that would report a mistake', async () => {
    const path = join(await temporaryFolder(), 'broken.yaml');
    const text = await readFile(join(root, 'deploy/kubernetes/gateway.yaml'), 'utf8');
    await writeFile(path, text.replace('readinessProbe:', 'readynessProbe:'));
    const { programs } = validator as { programs: string };
    const result = await runProgram(join(programs, 'kubernetes-validate'), ['--strict', '-k', '1.34', path], {
      environment: process.env,
    });
    expect(result.code).not.toBe(0);
  });
});
