import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../src/local/binaries/binaries.js';
import { ENVOY } from '../../src/local/binaries/programs.js';
import { reservePort } from '../../src/local/ports.js';
import { waitFor } from '../../src/local/processes/wait.js';
import { answerReply, chat, KEY, PROJECT } from '../support/chat.js';
import { startFakeProvider } from '../support/fake-provider.js';

/* What `npm run release` writes, checked and installed as docs/verify.md says. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const release = join(root, 'release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const hasDebian = existsSync('/usr/bin/dpkg-deb');
const isRoot = process.getuid?.() === 0;

const envoy = await findProgram(ENVOY, { environment: process.env, report: console.log }).catch(
  (error: Error) => {
    console.log(`No release serves a request here: ${error.message}`);
    return undefined;
  },
);

function configOf(baseUrl: string, enginePort: number): string {
  return `
providers: { local: { api: openai, base_url: "${baseUrl}" } }
engine: { listen: { address: "127.0.0.1:${enginePort}" } }
projects:
  - uid: ${PROJECT}
    name: demo
    api_keys: [{ name: demo, key: ${KEY}, scopes: [inference] }]
    endpoints: [{ name: support, models: [{ provider: local, model: small }] }]
`;
}

interface Installed {
  /** Where its sluice.yaml stands. */
  configPath: string;
  /** Starts `sluice serve` with that, in this environment. */
  serve(environment: Record<string, string>): ChildProcess;
  /** What `sluice envoy-config` prints, with these words. */
  envoyConfig(words: string[], environment: Record<string, string>): string;
}

/** Lets what was installed answer a request, through an Envoy that starts with the configuration that it prints. */
async function servesARequest(folder: string, { configPath, serve, envoyConfig }: Installed) {
  const provider = await startFakeProvider();
  provider.always(answerReply('Served.'));
  const [engine, admin, gateway] = [await reservePort(), await reservePort(), await reservePort()];
  writeFileSync(configPath, configOf(provider.baseUrl, engine.port));
  const environment = {
    SLUICE_ADMIN_PORT: String(admin.port),
    SLUICE_GATEWAY_PORT: String(gateway.port),
    SLUICE_ADMIN_KEY: 'sk-admin-of-a-release-test',
    // It serves the projects of its file without a database, and keeps its logs.
    MONGODB_URI: 'mongodb://127.0.0.1:9/x',
  };
  const started: ChildProcess[] = [];
  let printed = '';
  const start = (child: ChildProcess) => {
    started.push(child);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (printed += text));
  };
  try {
    const bootstrap = join(folder, `envoy-${gateway.port}.yaml`);
    writeFileSync(bootstrap, envoyConfig(['--engine', `127.0.0.1:${engine.port}`], environment));
    start(serve(environment));
    start(spawn(envoy!, ['-c', bootstrap, '--use-dynamic-base-id', '--log-level', 'warning']));
    const answer = await waitFor(
      'a request is served',
      async () => {
        const answer = await chat({ gatewayUrl: `http://127.0.0.1:${gateway.port}` }, 'support');
        if (answer.status !== 200) throw new Error(answer.text);
        return answer;
      },
      { timeoutMs: 60_000 },
    ).catch((error) => {
      throw new Error(`${error.message}\n${printed}`);
    });
    expect(answer.json).toMatchObject({
      choices: [{ message: { content: 'Served.' } }],
      inference_log_id: answer.id,
    });
    const live = await fetch(`http://127.0.0.1:${admin.port}/healthz/live`);
    expect(live.status).toBe(200);
  } finally {
    for (const child of started) child.kill();
    await Promise.all(started.map((child) => child.exitCode ?? once(child, 'exit')));
    for (const port of [engine, admin, gateway]) await port.release();
    await provider.stop();
  }
}

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

/** A blob of a layout, which must be what its digest says. */
function blob(layout: string, { digest, size }: Descriptor): Buffer {
  const bytes = readFileSync(join(release, layout, 'blobs', digest.replace(':', '/')));
  expect([`sha256:${createHash('sha256').update(bytes).digest('hex')}`, bytes.length]).toEqual([
    digest,
    size,
  ]);
  return bytes;
}

function manifestOf(layout: string): { config: Descriptor; layers: Descriptor[] } {
  const index = JSON.parse(readFileSync(join(release, layout, 'index.json'), 'utf8'));
  expect(index.manifests).toMatchObject([{ annotations: { 'org.opencontainers.image.ref.name': version } }]);
  return JSON.parse(blob(layout, index.manifests[0]).toString());
}

describe.skipIf(!hasDebian)('a release', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-release-test-'));
    execFileSync('npm', ['run', 'release'], { cwd: root, stdio: 'inherit' });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has a checksum of each file, and a signature over them', () => {
    execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: release });
    const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8');
    for (const name of [`sluice-${version}.tgz`, 'sbom.cdx.json', 'image/index.json', 'chart/index.json']) {
      expect(sums).toContain(`  ${name}\n`);
    }
    const der = join(folder, 'sums.der');
    writeFileSync(der, Buffer.from(readFileSync(join(release, 'SHA256SUMS.sig'), 'utf8'), 'base64'));
    const check = (file: string) =>
      execFileSync(
        'openssl',
        ['dgst', '-sha256', '-verify', join(release, 'cosign.pub'), '-signature', der, file],
        { stdio: 'pipe' },
      );
    check(join(release, 'SHA256SUMS'));
    const changed = join(folder, 'changed');
    writeFileSync(changed, `${sums}\n`);
    expect(() => check(changed)).toThrow();
  });

  it('has a signed statement of the commit that it was made from', () => {
    const { payloadType, payload, signatures } = JSON.parse(
      readFileSync(join(release, 'provenance.json'), 'utf8'),
    );
    const bytes = Buffer.from(payload, 'base64');
    const head = `DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `;
    const key = createPublicKey(readFileSync(join(release, 'cosign.pub')));
    const signature = Buffer.from(signatures[0].sig, 'base64');
    expect(verify('sha256', Buffer.concat([Buffer.from(head), bytes]), key, signature)).toBe(true);
    const statement = JSON.parse(bytes.toString());
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
    expect(JSON.stringify(statement.predicate)).toContain(commit);
    const names = statement.subject.map(({ name }: { name: string }) => name);
    expect(names).toContain(`sluice-${version}.tgz`);
  });

  it('lists what the package depends on', () => {
    const { bomFormat, components } = JSON.parse(readFileSync(join(release, 'sbom.cdx.json'), 'utf8'));
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name }: { name: string }) => name);
    expect(names).toContain('undici');
    expect(names).not.toContain('vitest');
  });

  it('has the chart as an OCI artefact', () => {
    const { config, layers } = manifestOf('chart');
    expect(config.mediaType).toBe('application/vnd.cncf.helm.config.v1+json');
    expect(JSON.parse(blob('chart', config).toString())).toMatchObject({ name: 'sluice', version });
    const archive = join(folder, 'chart.tgz');
    writeFileSync(archive, blob('chart', layers[0]!));
    const files = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' });
    expect(files).toContain('sluice/Chart.yaml');
    expect(files).toContain('sluice/templates/workload.yaml');
  });

  describe('from the npm package in an empty folder', () => {
    let empty: string;
    const sluice = (...words: string[]) =>
      execFileSync('npx', ['--no-install', 'sluice', ...words], {
        cwd: empty,
        encoding: 'utf8',
        stdio: 'pipe',
      });

    beforeAll(() => {
      empty = join(folder, 'empty');
      mkdirSync(empty);
      const npm = (...words: string[]) => execFileSync('npm', words, { cwd: empty, stdio: 'pipe' });
      npm('init', '--yes');
      npm('install', '--no-audit', '--no-fund', join(release, `sluice-${version}.tgz`));
    });

    it('checks a configuration', () => {
      expect(sluice('--version').trim()).toBe(version);
      const path = join(empty, 'sluice.yaml');
      const right = configOf('http://127.0.0.1:9/v1', 9191);
      writeFileSync(path, right);
      sluice('check', '--config', 'sluice.yaml');
      writeFileSync(path, right.replace('model: small', 'modle: small'));
      expect(() => sluice('check', '--config', 'sluice.yaml')).toThrow(/modle/);
    });

    it.skipIf(envoy === undefined)('serves a request', async () => {
      const program = join(empty, 'node_modules/.bin/sluice');
      const data = { SLUICE_DATA_DIR: join(empty, 'data') };
      const run = { cwd: empty, encoding: 'utf8' as const };
      await servesARequest(folder, {
        configPath: join(empty, 'sluice.yaml'),
        serve: (own) =>
          spawn(program, ['serve', '--config', 'sluice.yaml'], {
            cwd: empty,
            env: { ...process.env, ...data, ...own },
          }),
        envoyConfig: (words, own) =>
          execFileSync(program, ['envoy-config', '--config', 'sluice.yaml', ...words], {
            ...run,
            env: { ...process.env, ...data, ...own },
          }),
      });
    });
  });

  it.skipIf(!isRoot || envoy === undefined)(
    'has an image that serves a request in an empty root',
    async () => {
      const rootfs = join(folder, 'rootfs');
      mkdirSync(rootfs);
      const { config, layers } = manifestOf('image');
      for (const layer of layers) {
        execFileSync('tar', ['-xzf', '-', '-C', rootfs], { input: blob('image', layer), maxBuffer: 1 << 30 });
      }
      mkdirSync(join(rootfs, 'proc'), { recursive: true });
      // As every runtime of containers does; the spool's lock reads it.
      execFileSync('mount', ['-t', 'proc', 'proc', join(rootfs, 'proc')]);
      // The chart calls it there before a pod ends.
      expect(readFileSync(join(root, 'deploy/helm/sluice/templates/_helpers.tpl'), 'utf8')).toContain(
        '[node, /app/dist/main.js, drain,',
      );
      expect(existsSync(join(rootfs, 'app/dist/main.js'))).toBe(true);
      expect(statSync(join(rootfs, 'tmp')).mode & 0o7777).toBe(0o1777);
      const { Env, Entrypoint, Cmd, User } = JSON.parse(blob('image', config).toString()).config;
      const inside = (own: Record<string, string>, words: string[]) => {
        const set = Object.entries(own).map(([name, value]) => `${name}=${value}`);
        const chroot = ['/usr/sbin/chroot', `--userspec=${User}:${User}`, rootfs];
        return ['-i', ...Env, ...set, ...chroot, ...Entrypoint, ...words];
      };
      try {
        await servesARequest(folder, {
          configPath: join(rootfs, 'etc/sluice/sluice.yaml'),
          serve: (own) => spawn('env', inside(own, Cmd)),
          envoyConfig: (words, own) =>
            execFileSync('env', inside(own, ['envoy-config', '--config', Cmd.at(-1), ...words]), {
              encoding: 'utf8',
            })
              // The folder of the socket for Envoy's administration is one of the root's.
              .replaceAll('/var/lib/sluice', join(rootfs, 'var/lib/sluice')),
        });
        expect(readdirSync(join(rootfs, 'var/lib/sluice'))).toContain('spool');
      } finally {
        execFileSync('umount', ['--lazy', join(rootfs, 'proc')]);
      }
    },
  );
});
