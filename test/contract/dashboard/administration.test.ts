import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunk, streamAnswerReply } from '../../support/chat.js';
import { CountedKeys } from '../../support/counted-keys.js';
import { Dashboard, launchBrowser, missingForDashboard } from '../../support/dashboard.js';
import { type Gateway, PROJECT, startGateway } from '../../support/gateway.js';
import { jsonReply, streamReply } from '../../support/replies.js';

/** A picture of one point. */
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const CHECKED = {
  name: 'checked',
  json_validation: true,
  models: [{ provider: 'fake', model: 'large', structured_output: true }],
};

describe.skipIf(missingForDashboard !== null)('in the dashboard an admin', () => {
  let gateway: Gateway;
  let browser: Browser;

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway({ endpoints: [CHECKED] }), launchBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const open = (place: string) =>
    Dashboard.open(browser, gateway.sluice, { key: gateway.sluice.adminKey, place });

  /** A plain log, one with a fallback and one of an error, and a time in the hour of all three. */
  async function logsOfOneHour(): Promise<Date> {
    const { id } = await gateway.ask({ model: 'chain', metadata: { seen: 'overview' } });
    gateway.provider.enqueue(jsonReply({ error: { message: 'no' } }, { status: 500 }));
    const { id: fellBack } = await gateway.ask({ model: 'chain', metadata: { seen: 'fallback' } });
    gateway.provider.enqueue(jsonReply({ error: { message: 'no', code: 'no_such' } }, { status: 404 }));
    const { id: failed } = await gateway.ask({ metadata: { seen: 'error' } });
    const logs = await Promise.all([id, fellBack, failed].map((one) => gateway.log(one)));
    const [first, , last] = logs.map((log) => new Date(log.created_at));
    return first!.getUTCHours() === last!.getUTCHours() ? last! : logsOfOneHour();
  }

  it('makes a key, which is shown once and works at once', async () => {
    const admin = await open(`/admin/endpoints/${PROJECT}`);
    const { page } = admin;
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('from the page');
    await page.getByLabel('Expires').selectOption({ label: 'In 7 days' });
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key = (await page.locator('.new-key').textContent())?.trim() as string;
    expect((await gateway.ask({}, { key })).status).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: 'from the page', exact: true }).waitFor();
    // No two keys look alike, and each says when it was made and used, and when it expires.
    const table = page.locator('.list-table');
    const columns = await table.locator('th').allTextContents();
    const cells = await table
      .locator('tbody tr', { hasText: 'from the page' })
      .locator('td')
      .allTextContents();
    const cell = (title: string) => cells[columns.indexOf(title)];
    expect(cell('Created')).not.toBe('–');
    expect(cell('Expires')).not.toBe('never');
    expect(cell('Last used')).not.toBe('');
    const prints = await table
      .locator(`td:nth-child(${columns.indexOf('Fingerprint') + 1})`)
      .allTextContents();
    expect(new Set(prints).size).toBe(prints.length);
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Remove the key from the page' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await admin.toast('The key from the page was removed.').waitFor();
    expect((await gateway.ask({}, { key })).status).toBe(401);
    await admin.close();
  });

  it('makes an endpoint in a form of its schema and as YAML, with each mistake shown at its place', async () => {
    const admin = await open(`/admin/endpoints/${PROJECT}`);
    const { page } = admin;
    await page.getByText('sluice.yaml').first().waitFor();
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const form = page.getByRole('dialog', { name: 'New endpoint' });
    await form.getByLabel('Name', { exact: true }).fill('made-here');
    await form.getByLabel('Model', { exact: true }).fill('large');
    await form.getByLabel('Timeout (ms)').first().fill('0');
    await form.getByText('must be at least 1').waitFor();
    await form.getByLabel('Timeout (ms)').first().fill('5000');
    await form.getByRole('button', { name: 'Plugins', exact: true }).click();
    await form.getByRole('button', { name: 'Add plugin' }).click();
    await form.getByLabel('Plugin', { exact: true }).selectOption({ label: 'pii_detection' });
    await form.getByRole('button', { name: 'Settings', exact: true }).click();
    await form.getByLabel('Reject on detection').selectOption({ label: 'yes' });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.locator('.field.wrong', { hasText: 'Provider' }).waitFor();
    await form.getByLabel('Provider').selectOption({ label: 'fake' });
    await form.getByRole('button', { name: 'YAML' }).click();
    const yaml = form.getByLabel('Endpoint as YAML');
    const written = await yaml.inputValue();
    expect(written).toContain('plugin: pii_detection');
    await yaml.fill(`${written}\njson_validation: [`);
    await form.getByText(/^Line \d+, column \d+: Flow sequence/).waitFor();
    const save = form.getByRole('button', { name: 'Save', exact: true });
    expect([await save.isDisabled(), await form.getByRole('button', { name: 'Form' }).isDisabled()]).toEqual([
      true,
      true,
    ]);
    await yaml.fill(`${written}\njson_validation: 3`);
    await save.click();
    await form.locator('li', { hasText: 'json_validation' }).waitFor();
    // The browser itself tells of the answer 400.
    admin.complaints.splice(0, 1);
    await yaml.fill(written.replace('made-here', 'made-in-yaml'));
    await form.getByRole('button', { name: 'Form' }).click();
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('made-in-yaml');
    await save.click();
    await admin.toast('The endpoint was saved').waitFor();
    const rejected = await gateway.ask({
      model: 'made-in-yaml',
      messages: [{ role: 'user', content: 'I am jane@example.com' }],
    });
    expect([rejected.status, rejected.json.error.code]).toEqual([400, 'pii_detected']);
    await admin.go('/admin/audit');
    await page.getByText('endpoint.create').waitFor();
    // The browser itself tells of the answer 400.
    admin.complaints.splice(0, 1);
    await admin.close();
  });

  it('is shown what the file owns, and that it is changed there', async () => {
    const admin = await open(`/admin/endpoints/${PROJECT}`);
    await admin.page.getByRole('button', { name: 'Show support' }).click();
    await admin.page.getByText('This endpoint is defined in sluice.yaml.').waitFor();
    await admin.close();
  });

  it('is led from a new project to its key, its endpoint and a request to paste', async () => {
    const admin = await open('/admin/projects');
    const { page } = admin;
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name').fill('Second shop');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Next steps' }).waitFor();
    const steps = page.getByRole('region', { name: 'First request' });
    await steps.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('app');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key = (await page.locator('.new-key').textContent())!.trim();
    await page.getByRole('button', { name: 'Done' }).click();
    await steps.getByRole('button', { name: 'New endpoint' }).click();
    const form = page.getByRole('dialog', { name: 'New endpoint' });
    await form.getByLabel('Name', { exact: true }).fill('chat');
    await form.getByLabel('Provider').selectOption({ label: 'fake' });
    // The field suggests the models of the provider.
    await form.locator('datalist option[value="large"]').first().waitFor({ state: 'attached' });
    await form.getByLabel('Model', { exact: true }).fill('large');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Send a request' }).waitFor();
    const uid = page.url().split('/').at(-1)!;
    await steps.getByText(`/${uid}/anthropic`).first().waitFor();
    const snippet = await steps.locator('.snippet').textContent();
    expect(snippet).toContain(`/${uid}/openai/v1/chat/completions`);
    expect(snippet).toContain(`Bearer ${key}`);
    expect(snippet).toContain('"model":"chat"');
    await admin.go('/admin/projects');
    await page.getByRole('link', { name: 'Second shop' }).waitFor();
    await admin.close();
  });

  it('needs no mouse, and only as many keys as docs/dashboard.md says', async () => {
    const admin = await open('/admin/projects');
    const { page } = admin;
    const keys = new CountedKeys(page);

    await page.getByRole('button', { name: 'New project' }).waitFor();
    await keys.skipToContent();
    await keys.tabTo(page.getByRole('button', { name: 'New project' }));
    await keys.press('Enter');
    await page.getByLabel('Name').waitFor();
    await keys.type('By keys');
    await keys.press('Enter');
    const steps = page.getByRole('region', { name: 'First request' });
    await steps.getByRole('button', { name: 'New key' }).waitFor();
    await keys.skipToContent();
    await keys.tabTo(steps.getByRole('button', { name: 'New key' }));
    await keys.press('Enter');
    await page.getByRole('dialog', { name: 'New key', exact: true }).getByLabel('Name').waitFor();
    await keys.type('app');
    await keys.press('Enter');
    await page.locator('.new-key').waitFor();
    await keys.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keys.tabTo(steps.getByRole('button', { name: 'New endpoint' }));
    await keys.press('Enter');
    const form = page.getByRole('dialog', { name: 'New endpoint' });
    await form.getByLabel('Name', { exact: true }).waitFor();
    await keys.type('chat');
    await keys.tabTo(form.getByLabel('Provider'));
    await keys.press('f');
    await keys.tabTo(form.getByLabel('Model', { exact: true }));
    await keys.type('large');
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Send a request' }).waitFor();
    expect(await steps.locator('.snippet').textContent()).toContain('"model":"chat"');
    await keys.tookFor('make a project, its key and its endpoint, and see its first request');

    await admin.go('/playground');
    await expect.poll(() => keys.isFocused(page.getByLabel('Message'))).toBe(true);
    await keys.type('Where is my parcel?');
    await keys.press('Control+Enter');
    await page.getByText('On its way.').waitFor();
    await keys.tookFor('send a message in the playground');

    await admin.go('/exports');
    await page.reload();
    await page.getByRole('heading', { name: 'Exports' }).waitFor();
    await keys.skipToContent();
    await keys.tabTo(page.getByRole('button', { name: 'Export', exact: true }));
    await keys.press('Enter');
    await page.getByText('No log that matches this filter can be exported.').waitFor();
    await keys.tookFor('export the good answers of a filter');
    await admin.close();
  });

  it('compares two endpoints in the playground, sees what failed, and continues the conversation', async () => {
    const admin = await open('/playground');
    const { page } = admin;
    gateway.provider.enqueue(jsonReply({ error: { message: 'out of order' } }, { status: 500 }));
    await page.getByLabel('Endpoint').selectOption('chain');
    await page.getByLabel('Message').fill('Where is my parcel?');
    await page.getByLabel('Stream').uncheck();
    await page.keyboard.press('Control+Enter');
    const answer = page.getByRole('region', { name: 'Answer of chain' });
    await answer.getByText('On its way.').waitFor();
    await answer.getByText('All attempts').waitFor();
    await answer.getByText('server error').waitFor();
    await page.getByRole('button', { name: 'Continue the conversation' }).click();
    expect(await page.getByLabel('assistant, turn 2').inputValue()).toBe('On its way.');
    await page.getByLabel('Compare with').selectOption('support');
    await page.getByLabel('Message').fill('And when?');
    await page.getByText('Parameters, tools, schema and metadata').click();
    await page.getByLabel('Temperature').fill('0.5');
    await page.getByText('The request as JSON').click();
    await page.getByText('"temperature": 0.5').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    for (const name of ['chain', 'support'])
      await page
        .getByRole('region', { name: `Answer of ${name}` })
        .getByText('On its way.')
        .waitFor();
    const sent = gateway.provider.requests.slice(-2).map((request) => request.json());
    for (const body of sent) {
      expect(body.temperature).toBe(0.5);
      expect(body.messages).toMatchObject([
        { role: 'user' },
        { role: 'assistant' },
        { content: 'And when?' },
      ]);
    }
    await admin.close();
  });

  it('sends a request with an image and a tool from the playground as any client would, and opens its log', async () => {
    const admin = await open('/playground');
    const { page } = admin;
    await page.getByLabel('Endpoint').selectOption('support');
    await page.getByLabel('Message').fill('Where is my parcel?');
    await page.getByText('Parameters, tools, schema and metadata').click();
    await page.getByLabel('Metadata').fill('{"from": "playground"}');
    await page.getByLabel('Images').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: IMAGE });
    await page.getByAltText('Attachment 1').waitFor();
    await page.getByLabel('Tools').fill('[{"name": "find", "parameters": {"type": "object"}}]');
    await page.getByLabel('Stream').uncheck();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('On its way.').waitFor();
    expect(gateway.provider.requests.at(-1)!.json()).toMatchObject({
      messages: [
        {
          content: [
            { type: 'text', text: 'Where is my parcel?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${IMAGE.toString('base64')}` } },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'find' } }],
    });
    await page.getByRole('link', { name: 'Open the log' }).click();
    await page.locator('.chip', { hasText: 'from:playground' }).waitFor();
    await admin.close();
  });

  it('sends a request for a stream with a schema, whose log is complete', async () => {
    const admin = await open('/playground');
    const { page } = admin;
    gateway.provider.enqueue(streamAnswerReply('{"parcel":', '"on its way"}'));
    await page.getByLabel('Endpoint').selectOption('checked');
    await page.getByLabel('Message').fill('Where is my parcel?');
    await page.getByText('Parameters, tools, schema and metadata').click();
    await page.getByLabel('JSON Schema').fill('{"type": "object", "required": ["parcel"]}');
    await page.getByLabel('Metadata').fill('{"run": 7}');
    expect(await page.getByLabel('Stream').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('region', { name: 'Answer' }).getByText('"on its way"').waitFor();
    await page.getByRole('link', { name: 'Open the log' }).click();
    await page.locator('.chip', { hasText: 'run:7' }).waitFor();
    await page.getByText('openai.chat, stream').waitFor();
    await page.getByRole('button', { name: 'JSON' }).first().click();
    await page.locator('pre.raw', { hasText: '"json_schema"' }).waitFor();
    await admin.close();
  });

  it('sees the calls of tools in a stream, with their parameters', async () => {
    const admin = await open('/playground');
    const { page } = admin;
    const call = (part: object) => chunk({ tool_calls: [{ index: 0, ...part }] });
    gateway.provider.enqueue(
      streamReply([
        call({ id: 'call_1', type: 'function', function: { name: 'find_parcel', arguments: '' } }),
        call({ function: { arguments: '{"number":' } }),
        call({ function: { arguments: ' 7}' } }),
        chunk({}, 'tool_calls'),
        'data: [DONE]\n\n',
      ]),
    );
    await page.getByLabel('Endpoint').selectOption('support');
    await page.getByLabel('Message').fill('Where is parcel 7?');
    await page.keyboard.press('Control+Enter');
    const answer = page.getByRole('region', { name: 'Answer of support' });
    await answer.getByText('find_parcel').click();
    await answer.getByText('"number": 7').waitFor();
    await admin.close();
  });

  it('sees in the overview what happened, and opens the logs behind it from there', async () => {
    const now = await logsOfOneHour();
    const admin = await Dashboard.open(browser, gateway.sluice, {
      key: gateway.sluice.adminKey,
      place: '/overview',
      now,
    });
    const { page } = admin;
    /** Comes to the logs, where the one of this tag is and the others are not, and back. */
    const leadsTo = async (...tags: string[]) => {
      const grid = page.getByRole('grid', { name: 'Logs' });
      for (const tag of tags) await grid.getByText(tag).first().waitFor();
      const others = ['seen:overview', 'seen:fallback', 'seen:error'].filter((tag) => !tags.includes(tag));
      for (const tag of others) expect(await grid.getByText(tag).count()).toBe(0);
      expect(page.url()).toMatch(/logs\?from=.*&to=/);
      await page.goBack();
    };
    const chart = page.locator('.chart', { hasText: /^Requests/ }).locator('.u-over');
    await chart.waitFor();
    // The last hour but in its middle, where no line is: all logs of the hour.
    const box = (await chart.boundingBox()) as { width: number; height: number };
    await chart.click({ position: { x: box.width - 2, y: box.height / 2 } });
    await leadsTo('seen:overview', 'seen:fallback', 'seen:error');
    await page.getByText('Show as a table').click();
    // Other tests may have left logs of an hour before.
    await page.locator('.fold .numbers tbody tr').last().locator('a').first().click();
    await leadsTo('seen:overview', 'seen:fallback', 'seen:error');
    const parts = page.locator('.numbers').last();
    for (const [by, key, tag] of [
      ['tag', 'seen:overview', 'seen:overview'],
      ['error', 'no_such', 'seen:error'],
      ['fallback', 'server_error', 'seen:fallback'],
    ] as const) {
      await page.getByLabel('Group by', { exact: true }).selectOption(by);
      await parts.getByRole('link', { name: key, exact: true }).click();
      await leadsTo(tag);
    }
    await page.locator('.totals div', { hasText: 'Fallbacks' }).getByRole('link').click();
    await leadsTo('seen:fallback');
    await admin.close();
  });
});
