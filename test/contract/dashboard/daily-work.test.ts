import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CountedKeys } from '../../support/counted-keys.js';
import { DEEP, dailyLogs } from '../../support/daily-logs.js';
import { CONFIG, Dashboard, landLogs, launchBrowser, missingForDashboard } from '../../support/dashboard.js';
import { logRecord } from '../../support/log-record.js';
import { type Sluice, startSluice } from '../../support/start-sluice.js';

describe.skipIf(missingForDashboard !== null)('the dashboard in daily work', () => {
  let sluice: Sluice;
  let browser: Browser;

  beforeAll(async () => {
    [sluice, browser] = await Promise.all([startSluice({ config: CONFIG, envoy: false }), launchBrowser()]);
    await landLogs(sluice, dailyLogs());
  });

  afterAll(async () => {
    await browser?.close();
    await sluice?.stop();
  });

  const feedbackOf = async (tag: string) => {
    const logs = await sluice.database.collection('logs').find({ tags: tag }).toArray();
    const ids = logs.map(({ _id }) => String(_id));
    return sluice.database
      .collection('feedback')
      .find({ log_id: { $in: ids } })
      .sort({ _id: 1 })
      .toArray();
  };

  it('opens a long conversation at its answer, folded, with keys for both ends and findings grouped by type', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=long' });
    const { page } = reader;
    await reader.rows.first().click();
    const said = page.getByText('The short answer.');
    await said.waitFor();
    const isInView = async () => {
      const box = await said.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= page.viewportSize()!.height;
    };
    await expect.poll(isInView).toBe(true);
    const unfold = page.getByRole('button', { name: 'Show all 1,040,000 characters' });
    await unfold.waitFor();
    const shown = async () => (await page.locator('.conversation').textContent())!.length;
    expect(await shown()).toBeLessThan(5_000);
    await page.locator('.findings summary', { hasText: 'PERSON × 850' }).waitFor();
    for (const [key, role] of [
      ['q', 'user'],
      ['a', 'assistant'],
    ] as const) {
      await page.keyboard.press(key);
      const focused = () => page.evaluate("document.activeElement.querySelector('.turn')?.className");
      await expect.poll(focused).toBe(`turn ${role}`);
    }
    // What is not looked at makes no elements: a page with a megabyte stays as fast as any.
    const elements = () => page.locator('main *').count();
    expect(await elements()).toBeLessThan(400);
    await page.getByRole('button', { name: 'Show 294 earlier messages' }).click();
    await page.getByText('Turn 150.', { exact: true }).waitFor();
    await unfold.click();
    await expect.poll(shown).toBeGreaterThan(1_000_000);
    expect(await page.locator('.turn mark').count()).toBe(850);
    await reader.close();
  });

  it('shows Markdown, coloured code and the direction of a text, with the reason one click beside each finding', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=marked' });
    const { page } = reader;
    await reader.rows.filter({ hasNotText: 'مرحبا' }).click();
    const question = page.locator('.turn.user');
    await question.locator('.heading', { hasText: 'An order' }).waitFor();
    await question.locator('.code-block .hljs-attr').waitFor();
    await question.locator('strong').getByRole('button', { name: 'Jane Doe' }).click();
    await question.getByText('Reason: Found by NameRecognizer. Its score was 0.4 at first.').waitFor();
    // An answer in JSON keeps its marks, and each digit.
    const said = page.locator('.turn.assistant');
    await said.getByRole('button', { name: 'Jane Doe' }).waitFor();
    expect(await said.locator('pre').textContent()).toBe(
      '{\n  "name": "Jane Doe",\n  "total": 12345678901234567890\n}',
    );
    await reader.go('/logs?tags_all=marked');
    await reader.rows.filter({ hasText: 'مرحبا' }).click();
    await page.locator('.turn.user :dir(rtl)', { hasText: 'مرحبا بكم' }).last().waitFor();
    await reader.close();
  });

  it('checks a better answer against the schema of its request, beside the conversation', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=schema' });
    const { page } = reader;
    await reader.rows.first().click();
    await page.getByRole('button', { name: 'Improve' }).click();
    const dialog = page.getByRole('dialog', { name: 'Improve the answer' });
    await dialog.getByRole('region', { name: 'The conversation' }).getByText('How many parcels?').waitFor();
    const editor = dialog.getByLabel('Better answer');
    expect(await editor.inputValue()).toBe('{\n  "total": "many"\n}');
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    await editor.fill('{\n  "total": \n}');
    await dialog.getByText(/^Line 3, column 1: this is not valid JSON/).waitFor();
    expect(await save.isDisabled()).toBe(true);
    await editor.fill('{"total": "few"}');
    await save.click();
    await dialog.getByText('at /total').waitFor();
    expect(await feedbackOf('schema')).toEqual([]);
    // The browser itself tells of the answer 422.
    reader.complaints.splice(0, 1);
    await editor.fill('{"total": 3}');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await feedbackOf('schema')).toMatchObject([{ improvement: { content: '{"total": 3}' } }]);
    await reader.close();
  });

  it('finds by several conditions in one line, where a provider without a model means all of its models', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs' });
    const { page } = reader;
    const field = page.getByRole('combobox', { name: 'Filter logs' });
    await field.fill('tag:slow model:local slower-than:2s');
    await field.press('Enter');
    await page.getByText('2 logs', { exact: true }).waitFor();
    expect(page.url()).toContain('tags_all=slow&model=local&min_duration_ms=2000');
    // The column that it is sorted by is in view, wherever it stands, and though nobody chose it.
    await page.getByRole('button', { name: 'Cost' }).click();
    await reader.go('/logs?tags_all=slow&sort=first_token');
    const head = page.getByRole('columnheader', { name: 'First token' });
    await expect.poll(async () => (await head.boundingBox())?.x ?? 9_999).toBeLessThan(1_280 - 90);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByLabel('Order').selectOption({ label: 'By duration' });
    await expect.poll(() => reader.rows.first().textContent()).toContain('9.00 s');
    await reader.close();
  });

  it('separates failures at a model from those elsewhere, though no model answered', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs' });
    const { page } = reader;
    const field = page.getByRole('combobox', { name: 'Filter logs' });
    await field.fill('model:claude status:error');
    await field.press('Enter');
    await page.getByText('1 log', { exact: true }).waitFor();
    await reader.rows.first().getByText('claude/opus').waitFor();
    await reader.go('/overview?range=1h&by=model&endpoint=nights');
    const row = page.getByRole('row', { name: /^claude\/opus/ });
    await row.waitFor();
    const numbers = await row.getByRole('cell').allTextContents();
    expect(numbers.slice(0, 3)).toEqual(['claude/opus', '1', '1']);
    await row.getByRole('link', { name: 'claude/opus' }).click();
    await page.getByText('1 log', { exact: true }).waitFor();
    await reader.close();
  });

  it('counts failed runs by plugin, and failed requests for the page', async () => {
    const reader = await Dashboard.open(browser, sluice, {
      place: '/overview?range=1h&by=plugin&endpoint=guarded',
    });
    const { page } = reader;
    const parts = page.locator('.numbers').last();
    const row = async (plugin: string) => {
      const cells = parts.locator('tr', { has: page.getByRole('cell', { name: plugin }) }).getByRole('cell');
      return (await cells.allTextContents()).slice(0, 5);
    };
    await parts.getByRole('columnheader', { name: 'Failed runs' }).waitFor();
    const heads = await parts.getByRole('columnheader').allTextContents();
    expect(heads.slice(1, 5)).toEqual(['Requests', 'Failed runs', 'Invalid', 'Rejected by it']);
    expect(await row('webhook')).toEqual(['webhook', '2', '2', '0', '0']);
    expect(await row('pii_detection')).toEqual(['pii_detection', '2', '0', '0', '1']);
    const errors = page.locator('.totals > div', { hasText: 'Errors' });
    expect(await errors.locator('dd').first().textContent()).toBe('1');
    await reader.close();
  });

  it('says how far it looked where no index helps, and looks further when asked', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?endpoint=deep&q=needle' });
    const { page } = reader;
    await page.getByText('1 log; looked through the newest 1,000 logs').waitFor();
    await page.getByRole('button', { name: 'Look further' }).click();
    await page.getByText('2 logs', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Look further' }).count()).toBe(0);
    await reader.go(`/logs?endpoint=deep&q=needle%20${DEEP - 1}`);
    await page.getByText('Looked through the newest 1,000 logs. There are older ones.').waitFor();
    await page.getByRole('button', { name: 'Look further' }).click();
    await page.getByText('1 log', { exact: true }).waitFor();
    await reader.go('/queue?endpoint=deep&q=needle');
    await page.getByText('The needle 0.').waitFor();
    await page.keyboard.press('g');
    await page.getByText('Looked through the newest 1,000 logs of this queue.').waitFor();
    await page.getByRole('button', { name: 'Look further' }).click();
    await page.getByText(`The needle ${DEEP - 1}.`).waitFor();
    await page.keyboard.press('g');
    await page.getByText('There is nothing left to judge.').waitFor();
    await reader.close();
  });

  it('can be used with keys alone, as many as docs/dashboard.md says', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=by-keys' });
    const { page } = reader;
    const keys = new CountedKeys(page);
    const rated = () =>
      sluice.database.collection('logs').countDocuments({ tags: 'by-keys', quality_rating: '👍' });
    await page.getByText('6 logs', { exact: true }).waitFor();
    await keys.press('j', 'Enter');
    await page.getByText('On its way.').waitFor();
    await keys.press('a', 'Escape');
    await reader.rows.first().waitFor();
    await keys.tookFor('open the newest log, read its answer, go back');

    await reader.go('/queue?tags_all=by-keys');
    await page.getByText('6 left').waitFor();
    await keys.press('g');
    await page.getByText('5 left').waitFor();
    await keys.tookFor('rate a log of the queue and see the next');
    await keys.press('u');
    await page.getByText('6 left').waitFor();
    await keys.tookFor('undo the last change');
    expect(await rated()).toBe(0);

    // On a phone with a keyboard too.
    const usual = page.viewportSize()!;
    for (const [width, height] of [
      [usual.width, usual.height],
      [360, 640],
    ] as const) {
      await page.setViewportSize({ width, height });
      await reader.go('/logs?tags_all=schema');
      await reader.rows.first().click();
      await page.getByText('How many parcels?').first().waitFor();
      await keys.press('e');
      const dialog = page.getByRole('dialog', { name: 'Improve the answer' });
      const editor = dialog.getByLabel('Better answer');
      await expect.poll(() => keys.isFocused(editor)).toBe(true);
      for (const seen of [editor, dialog]) {
        const box = (await seen.boundingBox())!;
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        expect(box.y + box.height).toBeLessThanOrEqual(height);
      }
      await page.keyboard.press('Control+a');
      await keys.type(`{"total": ${width}}`);
      await keys.press('Control+Enter');
      await dialog.waitFor({ state: 'detached' });
      await reader.toast('The better answer was saved.').last().waitFor();
      await keys.tookFor('improve an answer');
    }
    await page.setViewportSize(usual);
    const saved = (await feedbackOf('schema')).map(({ improvement }) => improvement.content);
    expect(saved).toEqual(expect.arrayContaining([`{"total": ${usual.width}}`, '{"total": 360}']));

    await reader.go('/logs');
    await reader.rows.first().waitFor();
    await keys.press('/');
    await keys.type('status:error slower-than:2s endpoint:nights');
    await keys.press('Enter');
    await page.getByText('1 log', { exact: true }).waitFor();
    await keys.tookFor('find the slow errors of an endpoint');

    await reader.go('/logs?tags_all=slow');
    await page.getByText('3 logs', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('3 logs', { exact: true }).waitFor();
    await keys.skipToContent();
    await keys.tabTo(page.getByRole('button', { name: 'Duration' }));
    await keys.press('Enter');
    await expect.poll(() => page.url()).toContain('sort=duration');
    await page
      .getByRole('columnheader', { name: 'Duration' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    await expect.poll(() => reader.rows.first().textContent()).toContain('9.00 s');
    await keys.tookFor('sort the list by duration');

    await reader.go('/logs?tags_all=by-keys');
    await page.getByText('6 logs', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('6 logs', { exact: true }).waitFor();
    await keys.press('j', 'x', 'j', 'x', 'j', 'x', 'g');
    await expect.poll(rated).toBe(3);
    await keys.tookFor('rate three logs of the list as good');

    await keys.press('Control+k');
    await keys.type('exp');
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Exports' }).waitFor();
    await keys.tookFor('go to another page');
    await reader.close();
  });

  it('shows a session as one conversation over its logs', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/session/talk-1' });
    const { page } = reader;
    await page.getByText('2 logs').waitFor();
    await page.getByText('Answer 2.').waitFor();
    const turns = await page.locator('.session .turn-body').allTextContents();
    expect(turns.map((text) => text.replace('Plain text', ''))).toEqual([
      'Where is it?',
      'Answer 1.',
      'And when?',
      'Answer 2.',
    ]);
    await page.getByRole('link', { name: 'Show as a list of logs' }).click();
    await page.getByText('2 logs', { exact: true }).waitFor();
    await reader.close();
  });

  it('answers in the overview the questions of a night: the last hour, one key, compared with the hour before', async () => {
    const place = '/overview?range=1h&key=people&by=key';
    const reader = await Dashboard.open(browser, sluice, { place });
    const { page } = reader;
    const requests = page.locator('.totals > div', { hasText: 'Requests' });
    await expect.poll(() => requests.locator('dd').first().textContent()).toBe('2');
    expect(await requests.locator('.change').textContent()).toBe('+100 %');
    // It follows new logs by itself.
    await landLogs(sluice, [logRecord({ caller: 'key:people' })]);
    await expect.poll(() => requests.locator('dd').first().textContent(), { timeout: 30_000 }).toBe('3');
    await page.getByRole('cell', { name: 'people' }).getByRole('link').click();
    await page.getByText('3 logs', { exact: true }).waitFor();
    expect(page.url()).toContain('key=people');
    await reader.close();
  });

  describe('for those who judge', () => {
    it('has dimensions and queues that an admin makes in forms, and judging with keys alone, with undo', async () => {
      const admin = await Dashboard.open(browser, sluice, { key: sluice.adminKey, place: '/judging' });
      await admin.page.getByRole('button', { name: 'New dimension' }).click();
      const dimension = admin.page.getByRole('dialog', { name: 'New dimension' });
      await dimension.getByLabel('Question').fill('Is it helpful?');
      await dimension.getByLabel('Help').fill('Does it answer the question?');
      await dimension.getByLabel('Meaning of the lowest value').fill('not at all');
      await dimension.getByRole('button', { name: 'Save' }).click();
      await dimension.waitFor({ state: 'detached' });
      await admin.page.getByRole('button', { name: 'New dimension' }).click();
      await dimension.getByLabel('Question').fill('Tone');
      await dimension.getByLabel('Answer type').selectOption('categories');
      await dimension.getByLabel('Categories').fill('polite = 1\nrude = 3');
      await dimension.getByText('The score of “rude” must be a number').waitFor();
      await dimension.getByLabel('Categories').fill('polite = 1\nrude = -1');
      await dimension.getByRole('button', { name: 'Save' }).click();
      await dimension.waitFor({ state: 'detached' });
      await admin.page.getByRole('button', { name: 'New queue' }).click();
      const queue = admin.page.getByRole('dialog', { name: 'New queue' });
      await queue.getByLabel('Name', { exact: true }).fill('Weekly check');
      await queue.getByRole('combobox', { name: 'Filter logs' }).fill('tag:judge');
      await queue.getByRole('combobox', { name: 'Filter logs' }).press('Enter');
      await queue.getByLabel('How to judge').fill('Read it **twice**.');
      for (const name of ['Is it helpful?', 'Tone', 'people'])
        await queue.getByRole('checkbox', { name }).check();
      await queue.getByRole('button', { name: 'Save' }).click();
      await admin.page.getByRole('link', { name: 'Weekly check' }).waitFor();
      await admin.close();

      const reader = await Dashboard.open(browser, sluice, { place: '/queue' });
      const { page } = reader;
      await page.getByLabel('Queue to judge').selectOption('Weekly check');
      await page.getByText('3 left').waitFor();
      await page.locator('.rubric strong', { hasText: 'twice' }).waitFor();
      const link = page.getByRole('link', { name: 'Full log' });
      const first = await link.getAttribute('href');
      const keys = new CountedKeys(page);
      await keys.press('4', '2', 'Enter');
      await page.getByText('2 left').waitFor();
      await keys.tookFor('judge a log of a named queue with two dimensions and see the next');
      expect(await feedbackOf('judge')).toMatchObject([
        { signal_name: 'is-it-helpful', score: 0.5, metadata: { annotator: 'people', value: 4 } },
        { signal_name: 'tone', score: -1, metadata: { queue: 'weekly-check', value: 'rude' } },
      ]);
      await page.keyboard.press('u');
      await page.getByText('3 left').waitFor();
      await expect.poll(() => link.getAttribute('href')).toBe(first);
      expect(await feedbackOf('judge')).toEqual([]);
      await keys.press('5', '1', 'c');
      await keys.type('Kind and right.');
      await keys.press('Enter');
      await page.getByText('2 left').waitFor();
      const comments = (await feedbackOf('judge')).map((signal) => signal.qualitative_feedback);
      expect(comments).toContain('Kind and right.');
      await reader.close();
    });

    it('has pairs without the names of their models, and a button for a tie', async () => {
      const reader = await Dashboard.open(browser, sluice, { place: '/pairs?tags_all=blind' });
      const { page } = reader;
      await page.getByText('Pair 1 of 1').waitFor();
      expect(await page.locator('.answer-choice a').count()).toBe(0);
      const keys = new CountedKeys(page);
      await keys.press('3');
      await reader.toast(/A tie between local\/\w+ and local\/\w+[.]/).waitFor();
      await keys.tookFor('choose the better answer of a pair');
      const given = await feedbackOf('blind');
      expect(given.map(({ score, weight, metadata }) => [score, weight, metadata.choice])).toEqual([
        [0, 0, 'tie'],
        [0, 0, 'tie'],
      ]);
      await page.getByRole('button', { name: 'Look for more' }).click();
      await page.getByText('You have judged every pair that matches this filter.').waitFor();
      await reader.go('/judging');
      await page.getByRole('cell', { name: 'pairwise_comparison' }).waitFor();
      await reader.close();
    });
  });
});
