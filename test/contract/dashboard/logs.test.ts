import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CONFIG,
  Dashboard,
  landLogs,
  launchBrowser,
  missingForDashboard,
  OTHER_PROJECT,
  PROJECT,
} from '../../support/dashboard.js';
import { logRecord } from '../../support/log-record.js';
import { type Sluice, startSluice } from '../../support/start-sluice.js';

const POLL = { timeout: 15_000, interval: 50 };

const HOSTILE = [
  '<script>document.title = "owned"</script><img src=x onerror="document.title = \'owned\'">',
  '[click](javascript:document.title="owned") [data](data:text/html,<script>1</script>)',
  '![spy](https://elsewhere.example/pixel.png) <iframe src="https://elsewhere.example"></iframe>',
  '![inline](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==)',
  '| a |\n|---|\n| <svg onload=alert(1)> |',
  '```html\n</code></pre><script>alert(1)</script>\n```',
  '<style>*{display:none}</style><base href="https://elsewhere.example"><meta http-equiv=refresh content="0;url=https://elsewhere.example">',
].join('\n\n');

const answer = (content: string) => ({
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
});

describe.skipIf(missingForDashboard !== null)('the dashboard shows logs', () => {
  let sluice: Sluice;
  let browser: Browser;

  beforeAll(async () => {
    [sluice, browser] = await Promise.all([startSluice({ config: CONFIG, envoy: false }), launchBrowser()]);
    const start = Date.now() - 3_600_000;
    const many = Array.from({ length: 300 }, (_, index) =>
      logRecord({ created_at: new Date(start + index * 1000), tags: index % 10 === 0 ? ['tier:pro'] : [] }),
    );
    const special = [
      logRecord({
        tags: ['hostile', '<b>tag</b>'],
        metadata: { '<i>': '<script>' },
        request: { messages: [{ role: 'user', content: HOSTILE }] },
        response: answer(HOSTILE),
      }),
      logRecord({
        tags: ['fallback'],
        attempts: [
          {
            provider: 'local',
            model: 'small',
            status: 'invalid_output',
            http_status: 200,
            error: { message: 'must be integer', path: '/total', output: '{"total": "many"}' },
            duration_ms: 30,
            usage: null,
          },
          {
            provider: 'local',
            model: 'large',
            status: 'success',
            http_status: 200,
            error: null,
            duration_ms: 70,
            usage: null,
          },
        ],
        plugin_runs: [
          {
            plugin: 'pii_detection',
            phase: 'request',
            outcome: 'modified',
            duration_ms: 1,
            findings: [{ type: 'PERSON', place: '/0/parts/0/text', start: 3, end: 7, score: 0.85 }],
            debug: { decisions: [{ recognizer: 'NameRecognizer' }] },
          },
        ],
        request: { messages: [{ role: 'user', content: 'I, Jane, ask.' }] },
      }),
      logRecord({
        tags: ['changed'],
        response: answer('Ask Jane Doe.'),
        client_response: answer('Ask <PERSON>.'),
        plugin_runs: [
          {
            plugin: 'pii_detection',
            phase: 'response',
            outcome: 'modified',
            duration_ms: 1,
            findings: [{ type: 'PERSON', place: '/0/parts/0/text', start: 4, end: 12, score: 0.85 }],
          },
        ],
      }),
      logRecord({
        status: 'rejected',
        error: { code: 'pii_detected', message: 'No.' },
        plugin_runs: [
          { plugin: 'pii_detection', phase: 'request', outcome: 'rejected', duration_ms: 1, findings: [] },
        ],
      }),
      logRecord({
        status: 'rejected',
        tags: ['rejected-answer'],
        error: { code: 'pii_detected', message: 'The answer was rejected.' },
        preview: { input: 'Who?', output: 'I am <PERSON>.' },
      }),
      logRecord({ tags: ['many-tags', ...Array.from({ length: 9 }, (_, index) => `tag:number-${index}`)] }),
      logRecord({ project_uid: OTHER_PROJECT, tags: ['secret-of-others'] }),
    ];
    await landLogs(sluice, [...many, ...special]);
  });

  afterAll(async () => {
    await browser?.close();
    await sluice?.stop();
  });

  it('only after signing in, with a key that it does not store', async () => {
    const reader = await Dashboard.signIn(browser, sluice);
    // All of them: a page that is still asked for would be refused after the sign-out.
    await reader.page.getByText(/^\d{3} logs loaded/).waitFor();
    const [cookie] = await reader.context.cookies();
    expect(cookie).toMatchObject({ name: 'sluice_session', httpOnly: true, sameSite: 'Strict' });
    expect(JSON.stringify(await reader.context.storageState())).not.toContain('sk-people');
    await reader.page.getByRole('button', { name: 'Sign out' }).click();
    await reader.page.getByLabel('Key', { exact: true }).waitFor();
    await reader.close();
  });

  it('and says where signing out could not end the session', async () => {
    const reader = await Dashboard.open(browser, sluice);
    const { page } = reader;
    await page.route('**/api/session', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await reader.toast('the session is still open').waitFor();
    await page.getByLabel('Key', { exact: true }).waitFor();
    // The browser itself tells of the call that failed.
    reader.complaints.splice(0, 1);
    await reader.close();
  });

  it('and explains what to do without a key', async () => {
    const reader = await Dashboard.signIn(browser, sluice, { key: 'sk-wrong' });
    await reader.page.getByText('This key is not valid for any project').waitFor();
    // The browser itself tells of the answer 401.
    reader.complaints.splice(0, 1);
    await reader.close();
  });

  it('under a policy that forbids inline scripts and styles, and anything from elsewhere', async () => {
    const { headers } = await fetch(sluice.adminUrl);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('of one project only to a key of that project', async () => {
    const reader = await Dashboard.open(browser, sluice);
    await reader.rows.first().waitFor();
    expect(await reader.page.getByLabel('Project').locator('option').allTextContents()).toEqual(['shop']);
    expect(await reader.page.getByRole('link', { name: 'Audit trail' }).count()).toBe(0);
    await reader.close();
    const status = await fetch(`${sluice.adminUrl}/${OTHER_PROJECT}/logs`, {
      headers: { authorization: 'Bearer sk-people' },
    });
    expect(status.status).toBe(401);
  });

  it('by a tag that is completed, at an address that can be shared', async () => {
    const reader = await Dashboard.open(browser, sluice);
    const { page } = reader;
    await reader.rows.first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('tag:tier');
    await page.getByRole('option', { name: /tag:tier:pro\s*30/ }).click();
    await page.getByText('30 logs', { exact: true }).waitFor();
    expect(page.url()).toContain('tags_all=tier%3Apro');
    const second = await reader.context.newPage();
    await second.goto(page.url());
    await second.getByText('30 logs', { exact: true }).waitFor();
    await second.getByRole('button', { name: 'Remove tag tier:pro' }).click();
    await second.getByText(/logs loaded|30\d logs/).waitFor();
    await reader.close();
  });

  it('by endpoints, models, errors and plugins that are completed though none of their logs is shown', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=nobody' });
    const { page } = reader;
    await page.getByText('No log matches this filter.').waitFor();
    const field = page.getByRole('combobox', { name: 'Filter logs' });
    for (const [word, completed] of [
      ['model', /model:local\/large\s*30\d/],
      ['error', /error:pii_detected\s*2/],
      ['rejected-by', /rejected-by:pii_detection\s*1/],
      ['endpoint', /endpoint:support\s*30\d/],
    ] as const) {
      await field.fill(`${word}:`);
      await page.getByRole('option', { name: completed }).waitFor();
    }
    await reader.go('/logs');
    await field.fill('fallback:');
    await page.getByRole('option', { name: 'fallback:invalid_output' }).click();
    await page.getByText('1 log', { exact: true }).waitFor();
    await page.locator('.tag', { hasText: 'fallback' }).waitFor();
    // What failed at a model is found though another one answered.
    await reader.go('/logs');
    await field.fill('failed-at:local/small');
    await field.press('Enter');
    await page.getByText('1 log', { exact: true }).waitFor();
    expect(page.url()).toContain('failed_model=local%2Fsmall');
    await page.locator('.tag', { hasText: 'fallback' }).waitFor();
    await reader.close();
  });

  it('with completions that are asked for when the typing pauses, and not for each letter', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs' });
    const { page } = reader;
    await reader.rows.first().waitFor();
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/tags')) asked.push(searchParams.get('prefix'));
    });
    await page.clock.install();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await page.getByRole('combobox', { name: 'Filter logs' }).focus();
    for (const letter of 'tag:tag:n') {
      await page.keyboard.type(letter);
      await page.clock.runFor(50);
    }
    expect(asked).toEqual([]);
    await page.clock.runFor(200);
    await page.getByRole('option', { name: /^tag:tag:number-0/ }).waitFor();
    expect(asked).toEqual(['tag:n']);
    await reader.close();
  });

  it('with the number of tags that have no room in a row, and with their names', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=tag:number-0' });
    const more = reader.rows.first().locator('.more-tags');
    await more.waitFor();
    const shown = await reader.rows.first().locator('.tag').count();
    expect(await more.textContent()).toBe(`+${10 - shown}`);
    const hidden = (await more.getAttribute('title'))?.split('\n') ?? [];
    expect(hidden).toHaveLength(10 - shown);
    expect(hidden.at(-1)).toBe('tag:number-8');
    await reader.close();
  });

  it('as they arrive, without moving what the reader looks at', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_none=hostile' });
    const grid = reader.page.getByRole('grid');
    await reader.rows.first().waitFor();
    await landLogs(sluice, [logRecord({ tags: ['came:first'] })]);
    await reader.page.getByText('came:first').waitFor();
    await grid.evaluate((element) => {
      element.scrollTop = 1800;
    });
    const place = () =>
      grid.evaluate((element) => {
        const edge = element.getBoundingClientRect().top + 100;
        const [row] = [...element.querySelectorAll('.grid-row')]
          .map((one) => ({ id: one.id, top: Math.round(one.getBoundingClientRect().top) }))
          .filter(({ top }) => top > edge)
          .sort((a, b) => a.top - b.top);
        return row;
      });
    await expect.poll(() => reader.rows.count(), POLL).toBeGreaterThan(10);
    const before = await place();
    await landLogs(sluice, [logRecord(), logRecord()]);
    await reader.page.getByRole('button', { name: '2 new logs' }).waitFor();
    expect(await place()).toEqual(before);
    await reader.page.getByRole('button', { name: '2 new logs' }).click();
    await expect.poll(() => grid.evaluate((element) => element.scrollTop), POLL).toBe(0);
    await reader.close();
  });

  it('with keys alone: down, open, next, back, help and the palette', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=tier:pro' });
    const { page } = reader;
    await page.getByText('30 logs', { exact: true }).waitFor();
    for (const key of ['j', 'j', 'x', 'k', 'x']) await page.keyboard.press(key);
    await page.getByText('2 logs selected').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Log', exact: true }).waitFor();
    const first = page.url();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.href !== first);
    await page.keyboard.press('Escape');
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Select the log').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('exp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Exports' }).waitFor();
    await reader.close();
  });

  it('and never treats the text of a client or a model as anything but text', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=hostile' });
    const { page } = reader;
    await reader.rows.first().click();
    await page.getByText('[image not loaded: spy]').first().waitFor();
    expect(await page.title()).toBe('Sluice');
    expect(await page.locator('main :is(script, iframe, style, base, meta, svg[onload])').count()).toBe(0);
    const links = await page
      .locator('main .conversation a')
      .evaluateAll((all) => all.map((one) => String(one.getAttribute('href'))));
    expect(links.filter((href) => !/^(https?|mailto):/.test(href))).toEqual([]);
    const images = await page
      .locator('main img')
      .evaluateAll((all) => all.map((one) => String(one.getAttribute('src'))));
    expect(images.length).toBe(2);
    for (const src of images) expect(src).toMatch(/^data:image\/png/);
    await page.getByRole('button', { name: 'JSON' }).first().click();
    await page.getByText('document.title').first().waitFor();
    await reader.close();
  });

  it('as a whole: attempts with their reasons, marked findings, the decision process', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=fallback' });
    const { page } = reader;
    await reader.rows.first().click();
    await page.locator('.turn mark', { hasText: 'Jane' }).waitFor();
    const attempts = page.locator('.attempts li');
    expect(await attempts.count()).toBe(2);
    expect(await attempts.first().textContent()).toContain('must be integer at /total');
    await page.getByText('Invalid output of local/small').click();
    expect(await page.locator('.invalid-output mark').textContent()).toBe('"many"');
    await page.getByText('Decision process').click();
    await page.getByText('NameRecognizer').waitFor();
    await reader.close();
  });

  it('with what the model answered beside what the client received, where a plugin changed it', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=changed' });
    const { page } = reader;
    await reader.rows.first().click();
    const answered = page.getByRole('region', { name: 'What the model said' });
    await answered.getByText('Ask Jane Doe.').waitFor();
    await answered.locator('mark', { hasText: 'Jane Doe' }).waitFor();
    await page.getByRole('region', { name: 'What the client got' }).getByText('Ask <PERSON>.').waitFor();
    await reader.close();
  });

  it('with what the model said in the list where its answer was rejected, and that it was', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=rejected-answer' });
    await reader.rows.filter({ hasText: 'Rejected: I am <PERSON>.' }).waitFor();
    await reader.close();
  });

  it('at 360 pixels, with a menu button for the pages', async () => {
    const reader = await Dashboard.open(browser, sluice, { viewport: { width: 360, height: 700 } });
    await reader.rows.first().waitFor();
    const tooWide = await reader.page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(tooWide).toBe(false);
    await reader.page.getByRole('button', { name: 'Pages' }).click();
    await reader.page.getByRole('link', { name: 'Exports' }).click();
    await reader.page.getByRole('heading', { name: 'Exports' }).waitFor();
    await reader.close();
  });

  it('with columns and views that are kept in this browser', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=tier:pro' });
    const { page } = reader;
    await reader.rows.first().waitFor();
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await page.getByRole('checkbox', { name: 'API' }).check();
    await page.getByRole('columnheader', { name: 'API' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('button', { name: 'Save this filter' }).click();
    await page.getByLabel('Name').fill('Paying');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.reload();
    await page.getByRole('columnheader', { name: 'API' }).waitFor();
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('button', { name: 'Paying', exact: true }).click();
    await page.getByText('30 logs', { exact: true }).waitFor();
    expect(page.url()).toContain(`#/${PROJECT}/logs?tags_all=tier%3Apro`);
    await reader.close();
  });
});
