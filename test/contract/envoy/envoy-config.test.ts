import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { envoyConfig as envoyConfigHere } from '../../../src/commands/envoy-config.js';
import type { Mesh } from '../../../src/envoy/meshes.js';
import { mainPath } from '../../../src/local/parts/engine.js';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { runHere } from '../../support/run-here.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function envoyConfig(...parameters: string[]) {
  const folder = await temporaryFolder();
  const config = join(folder, 'sluice.yaml');
  // No manifest has a credential in it, so none has to be there.
  const provider = '{ api: openai, base_url: "http://127.0.0.1:1/v1", api_key_env: NOT_SET_PROVIDER_KEY }';
  await writeFile(config, `providers: { a: ${provider} }\nadmin_keys: [{ name: root, key_file: none/root }]`);
  const data = join(folder, 'data');
  const result = await runProgram(
    process.execPath,
    [mainPath, 'envoy-config', '--config', config, ...parameters],
    {
      environment: { PATH: process.env.PATH, SLUICE_DATA_DIR: data },
    },
  );
  return { ...result, data };
}

describe('sluice envoy-config', () => {
  it('names its manifest in a form that Kubernetes accepts, and leaves the label of the pods unchanged', async () => {
    const { stdout } = await envoyConfig('--for', 'istio', '--name', 'My_App.v1');
    const { metadata, spec } = parseAllDocuments(stdout)[0]!.toJS();
    expect(metadata.name).toBe('sluice-my-app-v1');
    expect(spec.workloadSelector.labels).toEqual({ 'app.kubernetes.io/name': 'My_App.v1' });
  });

  it.each<[Mesh, string, string]>([
    ['istio', 'an app', '--name "an app": the value of the pods'],
    ['envoy-gateway', 'Edge', '--name "Edge": the name of a Gateway'],
  ])('refuses a name that Kubernetes does not accept (%s, %s)', async (target, name, message) => {
    const { code, output } = await runHere(() => envoyConfigHere({ for: target, name }));
    expect(code).toBe(1);
    expect(output).toContain(message);
  });

  it('makes the folder of the socket for Envoy’s administration, even where the engine runs elsewhere', async () => {
    const { code, stdout, data } = await envoyConfig('--engine', '127.0.0.1:9191');
    expect(code).toBe(0);
    expect(stdout).toContain(join(data, 'envoy-admin.sock'));
    expect(existsSync(data)).toBe(true);
  });

  it('reports a file that cannot be written in one line', async () => {
    const { code, output } = await envoyConfig('--output', '/proc/none/envoy.yaml');
    expect(code).toBe(1);
    expect(output).toMatch(/^ENOENT: no such file or directory, open '\/proc\/none\/envoy\.yaml.*'\n?$/);
  });
});
