import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../steps.mjs';
import { OciLayout } from './oci-layout.mjs';

const CONFIG = 'application/vnd.cncf.helm.config.v1+json';
const CONTENT = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

/** Writes the chart as the OCI artefact that Helm pushes and pulls. */
export function writeChart(folder, work) {
  const chart = parse(readFileSync(join(root, 'deploy/helm/sluice/Chart.yaml'), 'utf8'));
  const archive = join(work, `sluice-chart-${chart.version}.tgz`);
  // The values for tests are left out, as .helmignore says for Helm.
  const always = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--exclude=ci'];
  execFileSync('tar', [...always, '-czf', archive, '-C', join(root, 'deploy/helm'), 'sluice']);
  const layout = new OciLayout(folder);
  layout.finish(
    {
      config: layout.addJson(CONFIG, chart),
      layers: [layout.addFile(CONTENT, archive)],
      annotations: {
        'org.opencontainers.image.title': chart.name,
        'org.opencontainers.image.version': chart.version,
        'org.opencontainers.image.description': chart.description,
      },
    },
    chart.version,
  );
}
