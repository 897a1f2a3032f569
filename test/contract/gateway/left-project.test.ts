import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { type Gateway, gatewayConfig, PROJECT, startGateway } from '../../support/gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

describe.skipIf(missingPrograms !== null)('a project that leaves the file', () => {
  let gateway: Gateway;
  let id: string;

  beforeAll(async () => {
    gateway = await startGateway();
    ({ id } = await gateway.ask());
    await gateway.log(id);
    const config = gatewayConfig(gateway.provider.baseUrl) as JsonObject & { projects: JsonObject[] };
    const rest = config.projects.filter(({ uid }) => uid !== PROJECT);
    await gateway.sluice.writeConfig(JSON.stringify({ ...config, projects: rest }));
    const refused = async () => (await gateway.ask()).status === 401;
    await waitFor('its keys are refused', refused, { timeoutMs: 20_000, intervalMs: 20 });
  });
  afterAll(() => gateway?.stop());

  const admin = (method: string, path: string, body?: object) =>
    fetch(`${gateway.sluice.adminUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${gateway.sluice.adminKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it.each([
    ['is shown as disabled, and keeps its logs', async () => {}],
    [
      'does so after a restart too',
      async () => {
        await gateway.sluice.engine.stop();
        await gateway.sluice.engine.start();
        await gateway.sluice.waitUntilReady();
      },
    ],
  ])('%s', async (_case, before) => {
    await before();
    const project = await (await admin('GET', `/api/projects/${PROJECT}`)).json();
    expect(project).toMatchObject({ name: 'demo', enabled: false, managed_by: 'file' });
    expect((await admin('GET', `/${PROJECT}/logs/${id}`)).status).toBe(200);
    expect((await gateway.ask()).status).toBe(401);
  });

  it('can be taken over by the API', async () => {
    const made = await admin('POST', '/api/projects', { uid: PROJECT, name: 'demo' });
    expect([made.status, await made.json()]).toMatchObject([201, { enabled: true, managed_by: 'api' }]);
    expect(await (await admin('GET', `/api/projects/${PROJECT}`)).json()).toMatchObject({
      managed_by: 'api',
    });
  });
});
