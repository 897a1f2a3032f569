import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources } from './check-imports.mjs';
import { root } from './steps.mjs';

/* What is declared is used, and what people are told of is there. */

const sources = readSources();
const isTold = (page, text) => readFileSync(join(root, 'docs', page), 'utf8').includes(text);
/** What the tests below a folder say. */
const testsBelow = (folder, isOne = () => true) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && isOne(name))
    .map((name) => withoutComments(readFileSync(join(root, folder, name), 'utf8')))
    .join('\n');
/** A comment that names something tests nothing. */
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
/** The product's text but for the files that only declare. */
const codeBut = (...declaring) =>
  [...sources]
    .filter(([path]) => !declaring.some((name) => path.startsWith(name)))
    .map(([, text]) => text)
    .join('\n');
const keysOf = (path, start, key) => {
  const text = sources.get(path);
  const from = text.indexOf(start);
  const end = text.indexOf('\n}', from);
  return [...text.slice(from, end).matchAll(key)].map(([, name]) => name);
};

describe('a metric', () => {
  const names = 'telemetry/names.ts';
  const code = codeBut(names);
  const table = sources.get(names);
  const metrics = keysOf(names, 'export const METRICS', /^ {2}(\w+): \{$/gm);

  it.each(metrics)('%s is counted somewhere, and described in docs/telemetry.md', (metric) => {
    expect(code).toMatch(new RegExp(`\\bMETRICS\\.${metric}\\b`));
    const entry = table.slice(table.indexOf(`  ${metric}: {`));
    expect(isTold('telemetry.md', /prometheus: '(\w+)'/.exec(entry)[1])).toBe(true);
  });

  it('exists, so that this test checks something', () => expect(metrics.length).toBeGreaterThan(15));
});

describe('an alert', () => {
  const rules = readFileSync(join(root, 'deploy/observability/prometheus-rules.yaml'), 'utf8');
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);

  it.each(alerts)('%s has its row in docs/operations.md', (name) => {
    expect(isTold('operations.md', `| \`${name}\` |`)).toBe(true);
  });

  it('is there at all', () => expect(alerts.length).toBeGreaterThan(10));
});

describe('an error', () => {
  const codes = keysOf('core/errors.ts', 'export const ERROR', /^ {2}(\w+): \{$/gm);
  const code = codeBut('core/errors.ts');
  // Envoy gives it where there is no engine.
  const ofEnvoy = readFileSync(join(root, 'envoy/bootstrap.yaml'), 'utf8');

  it.each(codes)('%s is thrown somewhere, and described in docs/errors.md', (name) => {
    expect(code.includes(`'${name}'`) || ofEnvoy.includes(`#${name}`)).toBe(true);
    expect(isTold('errors.md', name)).toBe(true);
  });

  const ofPlugins = [...sources]
    .filter(([path]) => path.startsWith('plugins/'))
    .flatMap(([, text]) => [...text.matchAll(/guardFunctions\('(\w+)'/g)].map(([, name]) => name));

  it.each(ofPlugins)('%s of a plugin has its place in docs/errors.md', (name) => {
    expect(codes).toContain(name);
  });

  it('is there at all', () => {
    expect(codes.length).toBeGreaterThan(15);
    expect(ofPlugins.length).toBeGreaterThan(1);
  });
});

describe('a plugin that comes with the product', () => {
  const folders = readdirSync(join(root, 'src/plugins'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const ofFolder = (folder) =>
    [...sources].filter(([path]) => path.startsWith(`plugins/${folder}/`)).map(([, text]) => text);
  const plugins = folders.flatMap((folder) => {
    const name = /definePlugin<[^(]*\(\{\s*name: '([a-z_]+)'/.exec(ofFolder(folder).join('\n'))?.[1];
    return name === undefined ? [] : [[name, folder]];
  });

  it.each(plugins)('%s is in the list, and described in docs/plugins.md', (name, folder) => {
    expect(sources.get('plugins/index.ts')).toContain(`from './${folder}/index.js'`);
    expect(isTold('plugins.md', `## \`${name}\``)).toBe(true);
  });

  it.each(plugins)('%s has a test beside it', (_name, folder) => {
    const files = readdirSync(join(root, 'src/plugins', folder));
    expect(files.some((file) => file.endsWith('.test.ts'))).toBe(true);
  });

  it('is there at all', () => expect(plugins.length).toBeGreaterThanOrEqual(4));
});

describe('a file of admin routes', () => {
  const files = [...sources].filter(([path]) => path.startsWith('admin/routes/'));
  const servers = sources.get('admin/server.ts') + sources.get('admin/health-server.ts');
  const routes = files.flatMap(([, text]) =>
    [...text.matchAll(/^export function (\w+Routes)\(/gm)].map(([, name]) => name),
  );

  it.each(routes)('%s is served', (name) => {
    // Once where it is imported, once where it is registered.
    expect(servers.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0).toBeGreaterThan(1);
  });

  it('is there at all', () => expect(routes.length).toBeGreaterThan(15));

  // These ask every route there is, whatever it does.
  const WALKERS = ['admin/access.test.ts', 'admin/schemathesis.test.ts'];
  const tests = testsBelow('test/contract', (name) => !WALKERS.includes(name));
  const { paths } = JSON.parse(readFileSync(join(root, 'test/fixtures/openapi.json'), 'utf8'));

  it.each(Object.keys(paths))('%s is called by a test', (path) => {
    const [name] = path
      .split('/')
      .filter((step) => !step.startsWith('{'))
      .slice(-1);
    expect(new RegExp(`[/'"\`]${name}\\b`).test(tests)).toBe(true);
  });
});

describe('a key of an endpoint', () => {
  const keys = keysOf('config/endpoint-schema.ts', 'export const endpointSchema', /^ {2}(\w+): /gm);
  const code = codeBut('config/', 'local/', 'core/settings.ts');

  it.each(keys)('%s has an effect, and is described in docs/configuration.md', (key) => {
    expect(code).toMatch(new RegExp(`\\b${key}\\b`));
    expect(isTold('configuration.md', key)).toBe(true);
  });

  // That it is read from the file is asked of all keys alike.
  const tests = testsBelow('src', (name) => !name.startsWith('config/')) + testsBelow('test');

  it.each(keys)('%s is set by a test', (key) => {
    expect(new RegExp(`\\b${key}\\b`).test(tests)).toBe(true);
  });

  it('is there at all', () => expect(keys.length).toBeGreaterThan(8));
});

describe('a kind of provider', () => {
  const list = /PROVIDER_APIS = \[([^\]]*)\]/.exec(sources.get('core/settings.ts'))[1];
  const apis = [...list.matchAll(/'(\w+)'/g)].map(([, api]) => api);
  const unit = testsBelow('src/dialects', (name) => name === 'providers.test.ts');
  const contract = testsBelow('test/contract');

  it.each(apis)('%s is tested, alone and behind Envoy, and described in docs/dialects.md', (api) => {
    expect(unit.includes(`'${api}'`), `src/dialects/providers.test.ts has no case of ${api}`).toBe(true);
    expect(contract.includes(`'${api}'`), `no test in test/contract has a provider of ${api}`).toBe(true);
    expect(isTold('dialects.md', `\`${api}\``), `docs/dialects.md does not name ${api}`).toBe(true);
  });

  it('is there at all', () => expect(apis.length).toBeGreaterThan(3));
});

describe('a dialect', () => {
  const ids = [...sources.get('core/dialect-ids.ts').matchAll(/'(\w+\.\w+)'/g)].map(([, id]) => id);

  it.each(ids)('%s is described in docs/dialects.md', (id) => {
    expect(isTold('dialects.md', `\`${id}\``), `docs/dialects.md does not name ${id}`).toBe(true);
  });

  it('is there at all', () => expect(ids.length).toBeGreaterThan(6));
});
