import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import type { Provider } from '../../../src/core/settings.js';
import { clusterUpdates, envoyIsLive } from '../../../src/envoy/envoy-state.js';
import { ENVOY_ADMIN_SOCKET, providerCluster } from '../../../src/envoy/names.js';
import { ProviderClusters } from '../../../src/envoy/provider-clusters.js';
import { writeClusters } from '../../../src/envoy/write-clusters.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function provider(name: string, port = 9101): Provider {
  return {
    name,
    api: 'openai',
    base_url: `http://127.0.0.1:${port}/v1`,
    headers: {},
    responses: false,
    prices: {},
    forward_headers: [],
  };
}

function namesIn(file: string): string[] {
  return parse(readFileSync(file, 'utf8')).resources.map((cluster: { name: string }) => cluster.name);
}

/** An administration interface that takes up the clusters file when it is asked the third time. */
async function startSlowEnvoy(folder: string): Promise<{ looks: () => number }> {
  let looks = 0;
  const server = createServer((request, response) => {
    if (request.url === '/ready') return response.writeHead(200).end('LIVE\n');
    looks++;
    return response.end(`cluster_manager.cds.update_success: ${looks < 4 ? 5 : 6}\n`);
  });
  await new Promise<void>((resolve) => server.listen(join(folder, ENVOY_ADMIN_SOCKET), resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { looks: () => looks };
}

describe('the file of clusters', () => {
  it('is replaced as a whole, by a rename, and only where it changed', async () => {
    const folder = join(await temporaryFolder(), 'envoy');
    const file = join(folder, 'clusters.yaml');
    expect(writeClusters(file, [provider('one')])).toBe(true);
    const first = statSync(file).ino;
    expect(writeClusters(file, [provider('one')])).toBe(false);
    expect(statSync(file).ino).toBe(first);
    expect(writeClusters(file, [provider('one', 9102)])).toBe(true);
    expect(statSync(file).ino).not.toBe(first);
    expect(readdirSync(folder)).toEqual(['clusters.yaml']);
  });
});

describe('the clusters of the providers', () => {
  it('exist before they are needed, and stay for the requests that began with them', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'envoy', 'clusters.yaml');
    const clusters = new ProviderClusters(file, folder);
    const change = async (...providers: Provider[]) => {
      await clusters.add(providers);
      const during = namesIn(file);
      await clusters.replace(providers);
      return [during, namesIn(file)];
    };
    const [one, two, moved] = [provider('one', 9101), provider('two', 9101), provider('two', 9102)];
    const names = [one, two, moved].map(providerCluster);
    await clusters.replace([one, two]);
    expect(await change(moved)).toEqual([names, names]);
    // With the change after that the old ones go.
    expect(await change(moved)).toEqual([names, [names[2]]]);
  });

  it('are waited for until Envoy has them', async () => {
    const folder = await temporaryFolder();
    const envoy = await startSlowEnvoy(folder);
    const clusters = new ProviderClusters(join(folder, 'envoy', 'clusters.yaml'), folder);
    await clusters.replace([provider('one')]);
    expect(envoy.looks()).toBe(4);
    await clusters.replace([provider('one')]);
    expect(envoy.looks()).toBe(5);
  });
});

describe("Envoy's state", () => {
  it('is read from its administration interface', async () => {
    const folder = await temporaryFolder();
    await startSlowEnvoy(folder);
    const socket = join(folder, ENVOY_ADMIN_SOCKET);
    expect([await envoyIsLive(socket), await clusterUpdates(socket)]).toEqual([true, 5]);
  });

  it('is not live where nobody answers', async () => {
    const folder = await temporaryFolder();
    const socket = join(folder, ENVOY_ADMIN_SOCKET);
    expect([await envoyIsLive(socket), await clusterUpdates(socket)]).toEqual([false, undefined]);
  });
});
