import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BY_LOOK,
  CONFIG,
  Dashboard,
  landLogs,
  launchBrowser,
  missingForDashboard,
  PROJECT,
  shoot,
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
  ['/judging', '.card'],
  ['/queue?queue=axe', '.dimension'],
  ['/overview', '.charts canvas'],
  ['/spend', '.list-table'],
  ['/exports', 'form'],
  ['/playground', 'form'],
  [`/admin/endpoints/${PROJECT}`, '.card'],
  ['/admin/projects', '.card'],
  ['/admin/audit', '.card'],
  ['/nowhere', 'main h1'],
];

/**
 * Everything is examined wide and light. The other looks differ by colours and by what has room, so axe examines the
 * rules that go by these.
 */
const LOOKS = [
  ['light', 1280, undefined],
  ['dark', 1280, BY_LOOK],
  ['light', 360, BY_LOOK],
  ['dark', 390, BY_LOOK],
] as const;

let sluice: Sluice;
let browser: Browser;
let logId: string;

beforeAll(async () => {
  if (missingForDashboard !== null) return;
  [sluice, browser] = await Promise.all([startSluice({ config: CONFIG, envoy: false }), launchBrowser()]);
  const answers = [MARKDOWN, 'Another.'].map((content) => ({
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
  }));
  // A prompt of their own: of one that more logs have, the page of pairs shows the newest six.
  const request = { model: 'support', messages: [{ role: 'user', content: 'Which one is better?' }] };
  const records = answers.map((response) =>
    logRecord({ request, response, tags: ['tier:pro'], metadata: { a: 1 } }),
  );
  logId = records[0]!._id;
  const failed = logRecord({ status: 'error', http_status: 502, error: { code: 'x', message: 'y' } });
  await landLogs(sluice, [
    ...records,
    failed,
    ...Array.from({ length: 3 }, () => logRecord({ tags: ['few'] })),
    ...Array.from({ length: 4 }, () => logRecord({ tags: ['held'] })),
  ]);
  const judging = {
    dimensions: [
      { name: 'helpful', help: 'Does it answer?', scale: { min: 1, max: 5, low: 'no', high: 'yes' } },
    ],
    queues: [{ name: 'axe', filter: {}, rubric: 'Read it **twice**.', dimensions: ['helpful'] }],
  };
  await fetch(`${sluice.adminUrl}/${PROJECT}/judging`, {
    method: 'PUT',
    headers: { 'x-api-key': sluice.adminKey, 'if-match': '"r0"', 'content-type': 'application/json' },
    body: JSON.stringify(judging),
  });
});

afterAll(async () => {
  await browser?.close();
  await sluice?.stop();
});

describe.skipIf(missingForDashboard !== null)('axe-core finds nothing wrong', () => {
  it('on any page, in both themes, wide and at 360 and 390 pixels', async () => {
    const reader = await Dashboard.open(browser, sluice, { key: sluice.adminKey });
    const { page } = reader;
    const found: Record<string, string[]> = {};
    const look = async (name: string) => {
      for (const [colorScheme, width, rules] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const violations = await reader.violations(rules);
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) {
          violations.push('The page is wider than the window.');
        }
        if (violations.length > 0) found[`${name}, ${colorScheme}, ${width} px`] = violations;
        await shoot(page, `${name}, ${width} px, ${colorScheme}`);
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
    await page.getByRole('button', { name: 'Edit all matching logs' }).click();
    await page.getByText('Give each of them feedback').click();
    await look('change many');
    await page.keyboard.press('Escape');
    await reader.go(`/admin/endpoints/${PROJECT}`);
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await page.getByLabel('Provider').waitFor();
    await look('new endpoint');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await look('sign in');
    expect(found).toEqual({});
    await reader.close();
  }, 150_000);
});

describe.skipIf(missingForDashboard !== null)('without a mouse the dashboard', () => {
  const ratings = async (tag: string) => {
    const logs = await sluice.database.collection('logs').find({ tags: tag }).toArray();
    return logs.map((log) => log.quality_rating as string | null).filter((rating) => rating !== null);
  };

  it('leaves Enter to the link or button that has the focus', async () => {
    const reader = await Dashboard.open(browser, sluice);
    const { page } = reader;
    await reader.rows.first().waitFor();
    await page.keyboard.press('j');
    await page.getByRole('button', { name: 'Choose columns' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'API' }).waitFor();
    await page.getByRole('link', { name: 'Exports' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Exports' }).waitFor();
    await reader.close();
  });

  it('keeps a window open that was opened before the list of projects came', async () => {
    const reader = await Dashboard.open(browser, sluice, {
      key: sluice.adminKey,
      place: '/logs?tags_all=few',
    });
    const { page } = reader;
    const asked = new Promise<Route>((resolve) => page.route('**/api/projects', resolve));
    await page.reload();
    await reader.rows.first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, project, command or log id' }).waitFor();
    await (await asked).continue();
    await page.getByRole('option', { name: 'Project' }).first().waitFor();
    await page.keyboard.type('exp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Exports' }).waitFor();
    await reader.close();
  });

  it('keeps the place in the list on its log while others arrive above', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=few' });
    const { page } = reader;
    await page.getByText('3 logs', { exact: true }).waitFor();
    for (const key of ['j', 'j']) await page.keyboard.press(key);
    const active = reader.rows.and(page.locator('.active'));
    const before = await active.getAttribute('id');
    await landLogs(sluice, [logRecord({ tags: ['few'] })]);
    await page.getByText('4 logs', { exact: true }).waitFor();
    expect(await active.getAttribute('id')).toBe(before);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.hash.includes(String(before).slice('log-'.length)));
    await reader.close();
  });

  it('changes nothing that another filter hides', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=few' });
    await reader.rows.first().waitFor();
    for (const key of ['j', 'x']) await reader.page.keyboard.press(key);
    await reader.page.getByText('1 log selected').waitFor();
    await reader.go('/logs?tags_all=held');
    await reader.page.getByText('4 logs', { exact: true }).waitFor();
    await reader.close();
  });

  it('judges one log for one press of a key, however long it is held', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/queue?tags_all=held' });
    const { page } = reader;
    const link = page.getByRole('link', { name: 'Whole log' });
    const first = await link.getAttribute('href');
    await page.keyboard.down('g');
    await expect.poll(() => link.getAttribute('href')).not.toBe(first);
    const second = await link.getAttribute('href');
    // The system repeats a key that stays down.
    for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down('g');
    await page.keyboard.up('g');
    await page.keyboard.press('s');
    await expect.poll(() => link.getAttribute('href')).not.toBe(second);
    expect(await ratings('held')).toEqual(['👍']);
    await reader.close();
  });

  it('says with each field what is to know about it, and what is wrong', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=few' });
    const { page } = reader;
    await reader.rows.first().click();
    await page.getByRole('button', { name: 'Feedback' }).click();
    const score = page.getByLabel('Score');
    const described = async () => {
      const id = await score.getAttribute('aria-describedby');
      return page.locator(`[id="${id}"]`).textContent();
    };
    expect(await described()).toContain('From −1 (worst) to 1 (best)');
    await score.fill('3');
    await page.getByText('must be a number from -1 to 1').waitFor();
    expect(await described()).toContain('must be a number from -1 to 1');
    expect(await score.getAttribute('aria-invalid')).toBe('true');
    await reader.close();
  });

  it('keeps what was written when a mouse that marks it leaves the dialog', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=few' });
    const { page } = reader;
    await reader.rows.first().click();
    await page.getByRole('button', { name: 'Improve' }).click();
    const editor = page.getByLabel('Better answer');
    await editor.fill('A long answer.');
    const box = (await editor.boundingBox())!;
    await page.mouse.move(box.x + 50, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
    expect(await editor.inputValue()).toBe('A long answer.');
    await page.mouse.click(5, 5);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await reader.close();
  });
});
