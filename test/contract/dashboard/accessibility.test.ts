import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CONFIG,
  Dashboard,
  landLogs,
  launchBrowser,
  missingForDashboard,
  PROJECT,
} from '../../support/dashboard.js';
import { logRecord } from '../../support/log-record.js';
import { type Sluice, startSluice } from '../../support/start-sluice.js';

const MARKDOWN =
  '# Title\n\nSome **bold** [link](https://example.com) and `code`.\n\n> quote\n\n1. one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x;\n```';

/** By a place, and what shows when it is there. */
const PAGES: [place: string, shows: string][] = [
  ['/logs', '.grid-row'],
  ['/logs?tags_all=nobody', '.state-title'],
  ['/queue', '.judge-bar'],
  ['/pairs', '.answer-choice'],
  ['/overview', '.charts canvas'],
  ['/exports', 'form'],
  ['/playground', 'form'],
  [`/admin/endpoints/${PROJECT}`, '.card'],
  ['/admin/projects', '.card'],
  ['/admin/audit', '.state-title'],
  ['/nowhere', 'main h1'],
];

const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['dark', 360],
  ['light', 360],
] as const;

describe.skipIf(missingForDashboard !== null)('axe-core finds nothing wrong', () => {
  let sluice: Sluice;
  let browser: Browser;
  let logId: string;

  beforeAll(async () => {
    [sluice, browser] = await Promise.all([startSluice({ config: CONFIG, envoy: false }), launchBrowser()]);
    const answers = [MARKDOWN, 'Another.'].map((content) => ({
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    }));
    const records = answers.map((response) =>
      logRecord({ response, tags: ['tier:pro'], metadata: { a: 1 } }),
    );
    logId = records[0]!._id;
    const failed = logRecord({ status: 'error', http_status: 502, error: { code: 'x', message: 'y' } });
    await landLogs(sluice, [...records, failed]);
  });

  afterAll(async () => {
    await browser?.close();
    await sluice?.stop();
  });

  it('on any page, in both themes, wide and at 360 pixels', async () => {
    const reader = await Dashboard.open(browser, sluice, { key: sluice.adminKey });
    const { page } = reader;
    const found: Record<string, string[]> = {};
    const look = async (name: string) => {
      for (const [colorScheme, width] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const violations = await reader.violations();
        if (violations.length > 0) found[`${name}, ${colorScheme}, ${width} px`] = violations;
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    };
    for (const [place, shows] of [
      ...PAGES,
      [`/logs/${logId}`, '.log-side .signals, .log-side .muted'] as const,
    ]) {
      await reader.go(place);
      await page.locator(shows).first().waitFor();
      await look(place);
    }
    for (const [open, title] of [
      ['f', 'Give feedback'],
      ['m', 'Metadata'],
      ['?', 'Keys'],
      ['Control+k', 'Find'],
    ] as const) {
      const dialog = page.getByRole('dialog', { name: title });
      const opens = async () => {
        await page.keyboard.press(open);
        return dialog.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
      };
      // A key that comes while the dialog before is still closing is lost.
      await expect.poll(opens).toBe(true);
      await look(title);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await reader.go('/logs');
    await page.getByRole('button', { name: 'Change all that fit' }).click();
    await page.getByText('Feedback for each of them').click();
    await look('change many');
    await page.keyboard.press('Escape');
    await reader.go(`/admin/endpoints/${PROJECT}`);
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await page.getByLabel('provider').waitFor();
    await look('new endpoint');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await look('sign in');
    expect(found).toEqual({});
    await reader.close();
  }, 90_000);
});
