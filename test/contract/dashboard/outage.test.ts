import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CONFIG,
  Dashboard,
  KEY,
  landLogs,
  launchBrowser,
  missingForDashboard,
} from '../../support/dashboard.js';
import { logRecord } from '../../support/log-record.js';
import { type OwnMongod, startOwnMongod } from '../../support/mongod.js';
import { type Sluice, startSluice } from '../../support/start-sluice.js';

describe.skipIf(missingForDashboard !== null)('the dashboard in trouble', () => {
  let mongod: OwnMongod;
  let sluice: Sluice;
  let browser: Browser;

  beforeAll(async () => {
    [mongod, browser] = await Promise.all([startOwnMongod(), launchBrowser()]);
    sluice = await startSluice({ config: CONFIG, envoy: false, mongodbUri: mongod.uri });
    await landLogs(sluice, [logRecord({ tags: ['before'] })]);
  });

  afterAll(async () => {
    await browser?.close();
    await sluice?.stop();
    await mongod?.stop();
  });

  it('stays signed in through a reload while the service cannot check the session', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=before' });
    const { page } = reader;
    await reader.rows.first().waitFor();
    const body = { error: { message: 'MongoDB is away.', code: 'storage_unavailable', details: [] } };
    await page.route('**/api/session', (route) => route.fulfill({ status: 503, json: body }));
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByLabel('Key', { exact: true }).count()).toBe(0);
    await page.unroute('**/api/session');
    await reader.rows.first().waitFor();
    // The browser itself tells of the answer 503.
    reader.complaints.splice(0);
    await reader.close();
  });

  it('shows an outage to those who only look at the list', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/exports' });
    const { page } = reader;
    await page.route('**/logs/events', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: 'event: away\ndata: {}\n\n' }),
    );
    await page.route('**/healthz/ready', (route) =>
      route.fulfill({ json: { status: 'degraded', parts: { mongodb: 'degraded' } } }),
    );
    await reader.go('/logs?tags_all=before');
    await page.getByText('MongoDB is away. Model calls continue').waitFor();
    await page.unroute('**/healthz/ready');
    await expect.poll(() => page.locator('.trouble').first().textContent(), { timeout: 15_000 }).toBe('');
    await reader.close();
  });

  it('shows to admins only that a changed sluice.yaml is not used, which a metric and readiness show as well', async () => {
    type Report = { parts: Record<string, string>; details: Record<string, string> };
    const ready = async () => (await (await fetch(`${sluice.adminUrl}/healthz/ready`)).json()) as Report;
    const metric = async () =>
      /^sluice_configuration_refused(?:\{.*\})? (\d)$/m.exec(
        await (await fetch(`${sluice.adminUrl}/metrics`)).text(),
      )?.[1];
    expect(await metric()).toBe('0');
    await sluice.writeConfig(CONFIG.replace('"provider":"local"', '"provider":"nowhere"'));
    await expect.poll(async () => (await ready()).parts.configuration).toBe('degraded');
    const { details } = await ready();
    expect(details.configuration).toContain('has 1 mistake and is not used');
    expect(await metric()).toBe('1');
    for (const [key, count] of [
      [sluice.adminKey, 1],
      [KEY, 0],
    ] as const) {
      const reader = await Dashboard.open(browser, sluice, { key, place: '/exports' });
      const looked = reader.page.waitForResponse('**/healthz/ready');
      await reader.page.reload();
      await looked;
      await reader.page.getByRole('heading', { name: 'Exports' }).waitFor();
      const banner = reader.page.getByText(`The changed sluice.yaml is not used: ${details.configuration}.`);
      await expect.poll(() => banner.count()).toBe(count);
      await reader.close();
    }
    await sluice.writeConfig(CONFIG);
    await expect.poll(async () => (await ready()).parts.configuration).toBeUndefined();
    expect(await metric()).toBe('0');
  });

  it('says to those who only look that MongoDB is away, keeps the session and what it shows, and recovers by itself', async () => {
    const reader = await Dashboard.open(browser, sluice);
    const { page } = reader;
    await page.getByText('before', { exact: true }).waitFor();
    await mongod.kill();
    // Nobody touches the page.
    await page.getByText('MongoDB is away.').first().waitFor({ timeout: 40_000 });
    await page.getByText('before', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).waitFor({ timeout: 40_000 });
    expect(await page.getByLabel('Key', { exact: true }).count()).toBe(0);
    await mongod.restart();
    await page.getByText('before', { exact: true }).first().waitFor({ timeout: 40_000 });
    await expect.poll(() => page.locator('.trouble').textContent(), { timeout: 40_000 }).toBe('');
    // A browser itself tells of answers such as 503; scripts must not fail, and nobody else be asked.
    const complaints = reader.complaints.filter(
      (text) => !text.startsWith('console: Failed to load resource'),
    );
    reader.complaints.splice(0);
    expect(complaints).toEqual([]);
    await reader.close();
  }, 150_000);
});
