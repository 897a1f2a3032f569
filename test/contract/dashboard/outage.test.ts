import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG, Dashboard, landLogs, launchBrowser, missingForDashboard } from '../../support/dashboard.js';
import { logRecord } from '../../support/log-record.js';
import { type OwnMongod, startOwnMongod } from '../../support/mongod.js';
import { type Sluice, startSluice } from '../../support/start-sluice.js';

describe.skipIf(missingForDashboard !== null)('with MongoDB away the dashboard', () => {
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

  it('says so to those who only look, keeps the session and what it shows, and recovers by itself', async () => {
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
