import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CountedKeys } from '../../support/counted-keys.js';
import {
  CONFIG,
  Dashboard,
  KEY,
  landLogs,
  launchBrowser,
  missingForDashboard,
  PROJECT,
} from '../../support/dashboard.js';
import { logRecord } from '../../support/log-record.js';
import { type Sluice, startSluice } from '../../support/start-sluice.js';

const PROMPT = { model: 'support', messages: [{ role: 'user', content: 'Which of two?' }] };
const ANSWERS = ['The first answer.', 'The second answer.'].map((content) => ({
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
}));

describe.skipIf(missingForDashboard !== null)('in the dashboard people edit and judge', () => {
  let sluice: Sluice;
  let browser: Browser;

  beforeAll(async () => {
    [sluice, browser] = await Promise.all([startSluice({ config: CONFIG, envoy: false }), launchBrowser()]);
    await landLogs(sluice, [
      ...Array.from({ length: 50 }, () => logRecord({ tags: ['fifty'] })),
      ...Array.from({ length: 4 }, () => logRecord({ tags: ['four', 'has-it'] })),
      logRecord({ tags: ['one'], metadata: { user: 'a' } }),
      logRecord({ tags: ['contested'], metadata: { turn: 1 } }),
      ...Array.from({ length: 5 }, (_, index) => logRecord({ tags: ['queue'], metadata: { index } })),
      ...['I sold it to zorblax vane.', 'Write to ann@example.org.'].map((content, index) =>
        logRecord({
          tags: ['marks'],
          request: { model: 'support', messages: [{ role: 'user', content }] },
          created_at: new Date(Date.now() - index * 1000),
        }),
      ),
      ...ANSWERS.map((response, index) =>
        logRecord({
          tags: ['pair'],
          request: PROMPT,
          response,
          created_at: new Date(Date.now() - index * 1000),
        }),
      ),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await sluice?.stop();
  });

  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${KEY}` };
    const response = await fetch(`${sluice.adminUrl}/${PROJECT}/${path}`, { headers });
    return response.text();
  };
  const list = async (query: string) => JSON.parse(await ask(`logs?${query}`)).data;

  it('one log: found by its tag, rated, improved with the difference shown, and then a line of the SFT export', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=one' });
    const { page } = reader;
    await reader.rows.first().click();
    await page.getByRole('button', { name: 'Good (g)' }).click();
    await page.getByRole('button', { name: 'Good (g)', pressed: true }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Better answer').fill('On its way to you.');
    await page.locator('.difference ins', { hasText: 'to you' }).waitFor();
    await page.getByLabel('Score').fill('3');
    await page.getByText('must be a number from -1 to 1').waitFor();
    await page.getByLabel('Score').fill('-0.5');
    await page.getByLabel('Comment').fill('Say to whom.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.signals', { hasText: 'Say to whom.' }).waitFor();
    await reader.go('/exports?tags_all=one');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const line = JSON.parse(Buffer.concat(chunks).toString());
    expect(line.messages.at(-1)).toEqual({ role: 'assistant', content: 'On its way to you.' });
    await page.getByText('Done: 1 line').waitFor();
    await reader.close();
  });

  it('with messages that cover no control, and that disappear when their button no longer applies', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=one' });
    const { page } = reader;
    await reader.rows.first().click();
    const bad = page.getByRole('button', { name: 'Bad (b)' });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 700 });
      await bad.click();
      await page.getByRole('button', { name: 'Bad (b)', pressed: true }).waitFor();
      await reader.toast(/^Rated/).waitFor();
      expect(await reader.covered()).toEqual([]);
      await page.keyboard.press('u');
      await reader.toast('Undone').first().waitFor();
      await expect.poll(() => page.locator('.toast', { hasText: /^Rated/ }).count()).toBe(0);
    }
    // Still as on a phone, over the bar of the queue and that of a selection.
    await reader.go('/queue?tags_all=fifty');
    await page.getByText('50 left').waitFor();
    await page.keyboard.press('b');
    await reader.toast('Rated as bad.').waitFor();
    expect(await reader.covered()).toEqual([]);
    await page.keyboard.press('u');
    await page.getByText('50 left').waitFor();
    await reader.go('/logs?tags_all=fifty');
    await page.getByText('50 logs', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('50 logs', { exact: true }).waitFor();
    for (const key of ['j', 'x', 'g']) await page.keyboard.press(key);
    await reader.toast('1 log of 1 changed.').waitFor();
    expect(await reader.covered()).toEqual([]);
    await reader.undo('1 log of 1 changed.');
    await reader.close();
  });

  it('metadata, with mistakes shown before it is saved, and with undo', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=one' });
    const { page } = reader;
    await reader.rows.first().click();
    await page.getByRole('button', { name: 'Edit the metadata' }).click();
    const editor = page.getByLabel('JSON object');
    await editor.fill('{\n  "user": b\n}');
    await page.getByText(/^Line 2, column 11:/).waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await editor.fill('{"user": "b", "a.b": {"c": 1}}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.metadata', { hasText: '"a.b"' }).waitFor();
    await reader.undo('The metadata was changed.');
    expect((await list('tags_all=one'))[0].metadata).toEqual({ user: 'a' });
    await reader.close();
  });

  it('three of fifty logs: selected with the keyboard, tagged, and no others', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=fifty' });
    const { page } = reader;
    await page.getByText('50 logs', { exact: true }).waitFor();
    for (const key of ['j', 'x', 'j', 'x', 'j', 'x', 't']) await page.keyboard.press(key);
    await page.getByRole('dialog').getByLabel('Add tags').fill('checked');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit 3 logs' }).click();
    await reader.toast('3 logs of 3 changed.').waitFor();
    await page.locator('.grid-row:has([title*="checked"])').nth(2).waitFor();
    expect(await list('tags_all=checked')).toHaveLength(3);
    await reader.close();
  });

  it('all that a filter finds: with the count before, the result after, and an undo', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=four' });
    const { page } = reader;
    await page.getByText('4 logs', { exact: true }).waitFor();
    const before = await list('tags_all=four');
    await page.getByRole('button', { name: 'Edit all matching logs' }).click();
    await page.getByRole('dialog', { name: 'Edit 4 logs' }).waitFor();
    await page.getByLabel('Add tags').fill('new');
    await page.getByLabel('Remove tags').fill('has-it');
    await page.getByLabel('Set metadata').fill('{"reviewed": true}');
    await page.getByRole('button', { name: 'Edit 4 logs' }).click();
    await reader.toast('4 logs of 4 changed.').waitFor();
    expect((await list('tags_all=new')).length).toBe(4);
    await reader.undo('4 logs of 4 changed.');
    expect(await list('tags_all=four')).toEqual(before);
    await reader.close();
  });

  it('a selection and all that a filter finds, with a score, a comment and a better answer, and with undo', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/logs?tags_all=four' });
    const { page } = reader;
    const dialog = page.getByRole('dialog');
    await page.getByText('4 logs', { exact: true }).waitFor();
    for (const key of ['j', 'x', 'j', 'x', 't']) await page.keyboard.press(key);
    await dialog.getByText('Give feedback to all of them').click();
    await dialog.getByLabel('Comment').fill('Too short.');
    await dialog.getByText('Needs a score.').waitFor();
    await dialog.getByLabel('Score').fill('-0.5');
    await dialog.getByLabel('Better answer').fill('It comes tomorrow.');
    await page.getByRole('button', { name: 'Edit 2 logs' }).click();
    await reader.toast('2 logs of 2 changed.').waitFor();
    expect((await list('tags_all=four&max_score=0')).length).toBe(2);
    const exported = (await ask('exports/sft.jsonl?tags_all=four')).trim().split('\n');
    expect(exported.map((line) => JSON.parse(line).messages.at(-1).content)).toEqual(
      Array(2).fill('It comes tomorrow.'),
    );
    await page.getByRole('button', { name: 'Edit all matching logs' }).click();
    await dialog.getByText('Give feedback to all of them').click();
    await dialog.getByLabel('Score').fill('1');
    await page.getByRole('button', { name: 'Edit 4 logs' }).click();
    await reader.toast('4 logs of 4 changed.').waitFor();
    const scores = async () =>
      (await list('tags_all=four')).map((log: { score: number }) => log.score).sort();
    expect(await scores()).toEqual([0.25, 0.25, 1, 1]);
    await reader.undo('4 logs of 4 changed.');
    expect(await scores()).toEqual([-0.5, -0.5, null, null]);
    await reader.close();
  });

  it('the same log at the same time: the second is told and loses nothing', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => Dashboard.open(browser, sluice, { place: '/logs?tags_all=contested' })),
    );
    for (const reader of [first!, second!]) {
      await reader.rows.first().click();
      await reader.page.locator('.metadata').waitFor();
    }
    await first!.page.getByRole('button', { name: 'Bad (b)' }).click();
    await first!.page.getByRole('button', { name: 'Bad (b)', pressed: true }).waitFor();
    await second!.page.getByRole('button', { name: 'Good (g)' }).click();
    await second!.toast('Somebody else changed this log.').waitFor();
    await second!.page.getByRole('button', { name: 'Bad (b)', pressed: true }).waitFor();
    expect((await list('tags_all=contested'))[0].quality_rating).toBe('👎');
    // A browser itself tells of the answer 412.
    second!.complaints.splice(0, 1);
    await Promise.all([first!.close(), second!.close()]);
  });

  it('a queue in two browsers: never the same log, judged ones disappear, and undo brings them back', async () => {
    const place = '/queue?tags_all=queue';
    const first = await Dashboard.open(browser, sluice, { place });
    /** The log that is shown, as soon as it is another one than before. */
    const shown = async (reader: Dashboard, before?: string) => {
      const link = reader.page.getByRole('link', { name: 'Full log' });
      const read = () => link.getAttribute('href');
      await expect.poll(read, { timeout: 15_000, interval: 50 }).not.toBe(before);
      return (await read()) as string;
    };
    const one = await shown(first);
    const second = await Dashboard.open(browser, sluice, { place });
    const other = await shown(second);
    expect(other).not.toBe(one);
    await first.page.keyboard.press('g');
    const next = await shown(first, one);
    expect([one, other]).not.toContain(next);
    await second.page.keyboard.press('5');
    const nextOther = await shown(second, other);
    expect([one, other, next]).not.toContain(nextOther);
    await first.page.keyboard.press('u');
    expect(await shown(first, next)).toBe(one);
    await Promise.all([first.close(), second.close()]);
    const logs = await sluice.database.collection('logs').find({ tags: 'queue' }).toArray();
    expect(logs.map((log) => log.score).filter((score) => score !== null)).toEqual([1]);
    expect(logs.filter((log) => log.quality_rating !== null)).toEqual([]);
  });

  it('until nothing is left, and are told so', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/queue?tags_all=nobody' });
    await reader.page.getByText('There is nothing left to judge.').waitFor();
    await reader.close();
  });

  it('a pair: a key chooses the better one, and the DPO export has it', async () => {
    const reader = await Dashboard.open(browser, sluice, { place: '/pairs?tags_all=pair' });
    const { page } = reader;
    await page.getByText('Pair 1 of 1').waitFor();
    // Which one stands left is drawn.
    const right = page.getByRole('region', { name: 'Right answer' });
    await right.getByText(/The (first|second) answer[.]/).waitFor();
    const isRight = (await right.textContent())!.includes('The second answer.');
    await page.keyboard.press(isRight ? '2' : '1');
    await page.getByText('You have compared all pairs.').waitFor();
    const response = await fetch(`${sluice.adminUrl}/${PROJECT}/exports/dpo.jsonl?tags_all=pair`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    const line = JSON.parse(await response.text());
    expect(line.preferred_output[0].content).toBe('The second answer.');
    expect(line.non_preferred_output[0].content).toBe('The first answer.');
    await reader.close();
  });

  it('what is personal data in the texts, with keys alone and with the mouse, from which the detector is measured', async () => {
    const queue = { name: 'marks', task: 'mark_pii', filter: { tags_any: 'marks' } };
    await fetch(`${sluice.adminUrl}/${PROJECT}/judging`, {
      method: 'PUT',
      headers: { 'x-api-key': sluice.adminKey, 'if-match': '"r0"', 'content-type': 'application/json' },
      body: JSON.stringify({ dimensions: [], queues: [queue] }),
    });
    const reader = await Dashboard.open(browser, sluice, { place: '/queue?queue=marks' });
    const { page } = reader;
    const text = page.getByRole('group', { name: 'Text 1 of 2, user' });
    const selected = page.locator('.selected');
    const marks = () => page.locator('.mark-text mark').allTextContents();
    const keys = new CountedKeys(page);
    await text.filter({ hasText: 'zorblax' }).waitFor();
    await keys.press('/');
    await keys.type('zorblax vane');
    await keys.press('Enter', '1', 'Enter');
    await page.getByText('1 left').waitFor();
    await keys.tookFor('mark what the detector missed in a log and see the next');

    await text.filter({ hasText: 'ann@example.org' }).waitFor();
    expect(await marks()).toEqual(['ann@example.org']);
    await page.keyboard.press('j');
    await page.getByText(/EMAIL_ADDRESS, proposed with/).waitFor();
    await page.keyboard.press('x');
    await expect.poll(marks).toEqual([]);
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowRight']) await page.keyboard.press(key);
    await expect.poll(() => selected.textContent()).toBe('Write to');
    await text.dblclick({ position: { x: 5, y: 12 } });
    await expect.poll(() => selected.textContent()).toBe('Write');
    await page.keyboard.press('t');
    await page.keyboard.type('us_ssn');
    await page.keyboard.press('Enter');
    await expect.poll(marks).toEqual(['Write']);
    await page.keyboard.press('u');
    await page.getByText('2 left').waitFor();
    await text.filter({ hasText: 'zorblax' }).waitFor();
    await expect.poll(marks).toEqual(['zorblax vane']);
    keys.pressed = 0;
    await keys.press('Enter');
    await page.getByText('1 left').waitFor();
    await keys.tookFor('go on where the detector found everything in a log');
    await text.filter({ hasText: 'ann@example.org' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('There is nothing left to judge.').waitFor();
    const lines = (await ask('exports/pii.jsonl?queue=marks')).trim().split('\n');
    const spans = lines.map((line) => JSON.parse(line).spans);
    expect(spans).toEqual([
      [{ start: 9, end: 24, entity_type: 'EMAIL_ADDRESS' }],
      [],
      [{ start: 13, end: 25, entity_type: 'PERSON' }],
      [],
    ]);
    await reader.close();
  });
});
