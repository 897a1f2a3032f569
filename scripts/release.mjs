import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { openSigningKey, provenanceOf, signAll } from './release/sign.mjs';
import { checkNode, fail, root, step } from './steps.mjs';

/*
 * `npm run release` writes all files of a release to `release/` and sends nothing anywhere. SLUICE_SIGNING_KEY names
 * a PEM file with the signing key; without it a key is made for this working copy and kept in `.signing-key.pem`.
 */

const target = join(root, 'release');

async function release() {
  checkNode();
  await install();
  await build();
  // These modules need installed packages.
  const { writeChart } = await import('./release/chart.mjs');
  const { writeImage } = await import('./release/image.mjs');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const work = mkdtempSync(join(tmpdir(), 'sluice-release-'));
  try {
    const made = join(work, 'release');
    mkdirSync(made);
    const archive = join(made, `sluice-${manifest.version}.tgz`);
    await step('npm package', async () => packNpm(made, archive));
    await step('SBOM', async () => writeSbom(made));
    await step('chart', async () => writeChart(join(made, 'chart'), work));
    await step('image', async () => writeImage(join(made, 'image'), { archive, work, manifest }));
    await step('signatures', async () => signRelease(made, manifest));
    // Replace the previous release only once the new one is complete.
    rmSync(`${target}.new`, { recursive: true, force: true });
    cpSync(made, `${target}.new`, { recursive: true });
    rmSync(target, { recursive: true, force: true });
    renameSync(`${target}.new`, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  console.log(`The release ${manifest.version} is in release/; docs/verify.md says how to check it.`);
}

function packNpm(folder, archive) {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 << 20,
    }),
  );
  if (join(folder, filename) !== archive) renameSync(join(folder, filename), archive);
}

/** The dependencies that users of the package get, as CycloneDX. npm writes it from the lock file. */
function writeSbom(folder) {
  const text = execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'],
    { cwd: root, maxBuffer: 64 << 20, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  writeFileSync(join(folder, 'sbom.cdx.json'), text);
}

function signRelease(folder, manifest) {
  const key = openSigningKey(root);
  const names = filesBelow(folder);
  const sums = names.map((name) => ({ name, sha256: sha256(join(folder, name)) }));
  writeFileSync(join(folder, 'SHA256SUMS'), sums.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  writeFileSync(join(folder, 'provenance.json'), provenanceOf(sums, manifest, root, key));
  signAll(folder, ['SHA256SUMS', `sluice-${manifest.version}.tgz`, 'sbom.cdx.json'], key);
}

function filesBelow(folder, before = '') {
  return readdirSync(join(folder, before), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(folder, join(before, entry.name)) : [join(before, entry.name)],
    )
    .sort();
}

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

try {
  await release();
} catch (error) {
  fail(error);
}
