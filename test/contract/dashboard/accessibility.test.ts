import type { Browser, Page, Route } from 'playwright-core';
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

/** Without keys and endpoints. */
const EMPTY_PROJECT = '00000000-0000-4000-8000-0000000000e0';
const MARKDOWN =
  '# Title\n\nSome **bold** [link](https://example.com) and `code`.\n\n> quote\n\n1. one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x;\n```';

type Opening = (page: Page) => Promise<unknown>;

/** By a place, what shows when it is there, and what is opened there: a dialog, a menu or a list. */
const PAGES: [place: string, shows: string, openings?: Record<string, Opening>][] = [
  [
    '/logs',
    '.grid-row',
    {
      Find: (page) => page.keyboard.press('Control+k'),
      'Keyboard shortcuts': (page) => page.keyboard.press('?'),
      views: (page) => page.getByRole('button', { name: 'Saved views' }).click(),
      'choices of the filter': (page) => page.getByRole('combobox', { name: 'Filter logs' }).fill('st'),
      'change many': async (page) => {
        await page.getByRole('button', { name: 'Edit all matching logs' }).click();
        await page.getByText('Give feedback to all of them').click();
      },
    },
  ],
  ['/logs?tags_all=nobody', '.state-title'],
  ['/logs?sort=cost&status=success', '.grid-row'],
  ['/session/axe', '.session'],
  ['/queue', '.judge-bar'],
  ['/pairs', '.answer-choice'],
  [
    '/judging',
    '.card',
    {
      'new dimension': (page) => page.getByRole('button', { name: 'New dimension' }).click(),
      'new queue': (page) => page.getByRole('button', { name: 'New queue' }).click(),
      removal: (page) => page.getByRole('button', { name: 'Remove axe' }).click(),
    },
  ],
  ['/queue?queue=axe', '.dimension'],
  ['/queue?queue=marks', '.mark-text mark', { 'a selected mark': (page) => page.keyboard.press('j') }],
  [
    '/overview',
    '.charts canvas',
    { 'custom range': (page) => page.getByLabel('Time range').selectOption({ label: 'Custom range …' }) },
  ],
  ['/spend', '.list-table'],
  ['/exports', 'form'],
  [
    '/playground',
    'form',
    { parameters: (page) => page.getByText('Parameters, tools, schema and metadata').click() },
  ],
  [
    `/admin/endpoints/${PROJECT}`,
    '.card',
    {
      'new endpoint': async (page) => {
        await page.getByRole('button', { name: 'New endpoint' }).click();
        await page.getByLabel('Provider').waitFor();
      },
      'an endpoint as YAML': async (page) => {
        await page.getByRole('button', { name: 'Show support' }).click();
        await page.getByText('This endpoint is defined in sluice.yaml.').waitFor();
      },
      'new key': (page) => page.getByRole('button', { name: 'New key' }).click(),
    },
  ],
  [`/admin/endpoints/${EMPTY_PROJECT}`, '.steps'],
  [
    '/admin/projects',
    '.card',
    { 'new project': (page) => page.getByRole('button', { name: 'New project' }).click() },
  ],
  ['/admin/audit', '.card'],
  ['/nowhere', 'main h1'],
];

/** What is opened over the page of a log. */
const OVER_A_LOG: Record<string, Opening> = {
  'Give feedback': (page) => page.keyboard.press('f'),
  'Improve the answer': (page) => page.keyboard.press('e'),
  Metadata: (page) => page.keyboard.press('m'),
  'a reason': (page) => page.locator('button.found').first().click(),
};

/** One of these shows that something was opened. */
const OPENED = 'dialog[open], .popover-box, .options.floating, .found-reason, .selected, details.fold[open]';

/**
 * Everything is examined wide and light. In the other looks axe examines the rules that go by colours and by room: each theme wide,
 * and on a phone. On the second phone only the width of the page is of interest, which does not go by the theme.
 */
const LOOKS = [
  ['light', 1280, undefined],
  ['dark', 1280, BY_LOOK],
  ['dark', 360, BY_LOOK],
  ['light', 390, BY_LOOK],
  ['light', 360, []],
] as const;

function withEmptyProject(): string {
  const config = JSON.parse(CONFIG);
  return JSON.stringify({ ...config, projects: [...config.projects, { uid: EMPTY_PROJECT, name: 'empty' }] });
}

let sluice: Sluice;
let browser: Browser;
let logId: string;

beforeAll(async () => {
  if (missingForDashboard !== null) return;
  [sluice, browser] = await Promise.all([
    startSluice({ config: withEmptyProject(), envoy: false }),
    launchBrowser(),
  ]);
  const answers = [MARKDOWN, 'Another.'].map((content) => ({
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
  }));
  // A prompt of their own: of one that more logs have, the page of pairs shows the newest six.
  const request = { model: 'support', messages: [{ role: 'user', content: 'Which one is better?' }] };
  const records = answers.map((response) =>
    logRecord({
      request,
      response,
      tags: ['tier:pro'],
      metadata: { session_id: 'axe' },
      client_response: answers[1],
      plugin_runs: [
        {
          plugin: 'pii_detection',
          phase: 'request',
          outcome: 'passed',
          duration_ms: 1,
          findings: [{ type: 'PERSON', place: '/0/parts/0/text', start: 0, end: 9, score: 0.85 }],
        },
      ],
    }),
  );
  logId = records[0]!._id;
  const failed = logRecord({ status: 'error', http_status: 502, error: { code: 'x', message: 'y' } });
  const personal = 'I am Ann Lee, please write to ann.lee@example.org.';
  await landLogs(sluice, [
    ...records,
    failed,
    logRecord({
      tags: ['marked'],
      request: { model: 'support', messages: [{ role: 'user', content: personal }] },
      request_kept: 'masked',
    }),
    ...Array.from({ length: 3 }, () => logRecord({ tags: ['few'] })),
    ...Array.from({ length: 4 }, () => logRecord({ tags: ['held'] })),
  ]);
  const judging = {
    dimensions: [
      { name: 'helpful', help: 'Does it answer?', scale: { min: 1, max: 5, low: 'no', high: 'yes' } },
    ],
    queues: [
      { name: 'axe', filter: {}, rubric: 'Read it **twice**.', dimensions: ['helpful'] },
      { name: 'marks', task: 'mark_pii', filter: { tags_any: 'marked' } },
    ],
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

describe.skipIf(missingForDashboard !== null)('the dashboard is accessible to axe-core', () => {
  it('on every page and dialog, in both themes, wide and at 360 and 390 pixels, where none is wider than the window', async () => {
    const reader = await Dashboard.open(browser, sluice, { key: sluice.adminKey });
    const { page } = reader;
    const found: Record<string, string[]> = {};
    const look = async (name: string) => {
      for (const [colorScheme, width, rules] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const wrong = rules?.length === 0 ? [] : await reader.violations(rules);
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) {
          wrong.push('The page is wider than the window.');
        }
        if (wrong.length > 0) found[`${name}, ${colorScheme}, ${width} px`] = wrong;
        await shoot(page, `${name}, ${width} px, ${colorScheme}`);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 800 });
    };
    /** A key that comes while the dialog before is still closing is lost. */
    const opens = async (open: Opening) => {
      await open(page);
      return page
        .locator(OPENED)
        .first()
        .waitFor({ timeout: 5_000 })
        .then(
          () => true,
          () => false,
        );
    };
    const visit = async (place: string, shows: string, openings: Record<string, Opening> = {}) => {
      await reader.go(place);
      await page.locator(shows).first().waitFor();
      await look(place);
      for (const [name, open] of Object.entries(openings)) {
        await expect.poll(() => opens(open)).toBe(true);
        await look(`${place}, ${name}`);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    };
    for (const one of PAGES) await visit(...one);
    await visit(`/logs/${logId}`, '.log-side .signals, .log-side .muted', OVER_A_LOG);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('button', { name: 'Pages' }).click();
    await look('pages');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await look('sign in');
    expect(found).toEqual({});
    await reader.close();
  }, 240_000);
});

describe.skipIf(missingForDashboard !== null)('without a mouse the dashboard', () => {
  const ratings = async (tag: string) => {
    const logs = await sluice.database.collection('logs').find({ tags: tag }).toArray();
    return logs.map((log) => log.quality_rating as string | null).filter((rating) => rating !== null);
  };

  it('leaves Enter to the focused link or button', async () => {
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

  it('keeps the selection in the list on the same log while others arrive above', async () => {
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
    const link = page.getByRole('link', { name: 'Full log' });
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

  it('describes with each field what to know about it, and what is wrong', async () => {
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

  it('keeps what was written when a mouse that marks text leaves the dialog', async () => {
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
