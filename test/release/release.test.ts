import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reservePort } from '../../src/local/ports.js';
import { waitFor } from '../../src/local/processes/wait.js';

/* What `npm run release` writes, checked and installed as docs/verify.md says. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const release = join(root, 'release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const hasDebian = existsSync('/usr/bin/dpkg-deb');
const isRoot = process.getuid?.() === 0;

const CONFIG = `
providers: { local: { api: openai, base_url: "http://127.0.0.1:9/v1" } }
projects:
  - uid: 00000000-0000-4000-8000-000000000001
    name: demo
    api_keys: [{ name: demo, key: sk-demo, scopes: [inference] }]
    endpoints: [{ name: support, models: [{ provider: local, model: small }] }]
`;

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
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-release-test-'));
    execFileSync('npm', ['run', 'release'], { cwd: root, stdio: 'inherit' });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('has a checksum of each file, which a signature covers', () => {
    execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: release });
    const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8');
    for (const name of [`sluice-${version}.tgz`, 'sbom.cdx.json', 'image/index.json', 'chart/index.json']) {
      expect(sums).toContain(`  ${name}\n`);
    }
    const der = join(directory, 'sums.der');
    writeFileSync(der, Buffer.from(readFileSync(join(release, 'SHA256SUMS.sig'), 'utf8'), 'base64'));
    const check = (file: string) =>
      execFileSync(
        'openssl',
        ['dgst', '-sha256', '-verify', join(release, 'cosign.pub'), '-signature', der, file],
        { stdio: 'pipe' },
      );
    check(join(release, 'SHA256SUMS'));
    const changed = join(directory, 'changed');
    writeFileSync(changed, `${sums}\n`);
    expect(() => check(changed)).toThrow();
  });

  it('says of which commit it was made, signed', () => {
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
    const archive = join(directory, 'chart.tgz');
    writeFileSync(archive, blob('chart', layers[0]!));
    const files = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' });
    expect(files).toContain('sluice/Chart.yaml');
    expect(files).toContain('sluice/templates/workload.yaml');
  });

  it('installs from the npm package in an empty folder, and checks a configuration', () => {
    const empty = join(directory, 'empty');
    mkdirSync(empty);
    const npm = (...words: string[]) => execFileSync('npm', words, { cwd: empty, stdio: 'pipe' });
    npm('init', '--yes');
    npm('install', '--no-audit', '--no-fund', join(release, `sluice-${version}.tgz`));
    writeFileSync(join(empty, 'sluice.yaml'), CONFIG);
    const sluice = (...words: string[]) =>
      execFileSync('npx', ['--no-install', 'sluice', ...words], {
        cwd: empty,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    expect(sluice('--version').trim()).toBe(version);
    sluice('check', '--config', 'sluice.yaml');
    expect(sluice('envoy-config', '--config', 'sluice.yaml')).toContain('static_resources');
    writeFileSync(join(empty, 'sluice.yaml'), CONFIG.replace('model: small', 'modle: small'));
    expect(() => sluice('check', '--config', 'sluice.yaml')).toThrow(/modle/);
  });

  it.skipIf(!isRoot)('has an image that serves in an empty root', async () => {
    const rootfs = join(directory, 'rootfs');
    mkdirSync(rootfs);
    const { config, layers } = manifestOf('image');
    for (const layer of layers) {
      execFileSync('tar', ['-xzf', '-', '-C', rootfs], { input: blob('image', layer), maxBuffer: 1 << 30 });
    }
    mkdirSync(join(rootfs, 'proc'), { recursive: true });
    // As every runtime of containers does; the spool's lock reads it.
    execFileSync('mount', ['-t', 'proc', 'proc', join(rootfs, 'proc')]);
    const settings = JSON.parse(blob('image', config).toString()).config;
    writeFileSync(join(rootfs, 'etc/sluice/sluice.yaml'), CONFIG);
    const port = await reservePort();
    const own = [
      `SLUICE_ADMIN_PORT=${port.port}`,
      'SLUICE_ADMIN_KEY=sk-admin',
      'MONGODB_URI=mongodb://127.0.0.1:9/x',
    ];
    const { spawn } = await import('node:child_process');
    const words = ['-i', ...settings.Env, ...own, 'chroot', rootfs, ...settings.Entrypoint, ...settings.Cmd];
    const engine = spawn('env', words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    engine.stdout.on('data', (text) => (printed += text));
    engine.stderr.on('data', (text) => (printed += text));
    try {
      await waitFor(
        'the engine lives',
        async () => (await fetch(`http://127.0.0.1:${port.port}/healthz/live`)).status === 200,
        { timeoutMs: 60_000 },
      ).catch((error) => {
        throw new Error(`${error.message}\n${printed}`);
      });
      const openapi = await fetch(`http://127.0.0.1:${port.port}/openapi.json`);
      expect(openapi.status).toBe(200);
      expect(readdirSync(join(rootfs, 'var/lib/sluice'))).toContain('engine.sock');
    } finally {
      engine.kill();
      execFileSync('umount', ['--lazy', join(rootfs, 'proc')]);
      await port.release();
    }
  });
});
