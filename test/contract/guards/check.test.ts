import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardReplay, guardTry } from '../../../src/commands/guard.js';
import type { JsonObject } from '../../../src/core/json.js';
import { mainPath } from '../../../src/local/parts/engine.js';
import { COMPLETION, type Gateway, KEYS, PROJECT, startGateway } from '../../support/gateway.js';
import { jsonReply } from '../../support/replies.js';
import { runHere } from '../../support/run-here.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ADDRESS = 'anna.schmidt@example.org';
const models = [{ provider: 'fake', model: 'large' }];
const endpoints: JsonObject[] = [
  { name: 'rejects', models, plugins: [{ plugin: 'pii_detection' }] },
  {
    name: 'masks',
    models,
    plugins: [
      { plugin: 'pii_detection', config: { reject_on_detection: false, mask: true } },
      { plugin: 'text_rules', mode: 'observe', config: { rules: [{ words: ['Bluebird'], deny: true }] } },
    ],
  },
];

let gateway: Gateway;
beforeAll(async () => {
  if (missingPrograms !== null) return;
  gateway = await startGateway({
    endpoints: [...endpoints, { name: 'open', models, log_content: 'full' }],
  });
});
afterAll(() => gateway?.stop());

describe.skipIf(missingPrograms !== null)('POST /{project_uid}/guard/check', () => {
  async function check(body: JsonObject, key: string = KEYS.logs) {
    const response = await fetch(`${gateway.sluice.adminUrl}/${PROJECT}/guard/check`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: JSON.parse(await response.text()) };
  }

  it('reports what would be rejected, where and why', async () => {
    const { status, json } = await check({ endpoint: 'rejects', text: `I am ${ADDRESS}` });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      decision: 'reject',
      error: { code: 'pii_detected', status: 400 },
      plugin_runs: [
        {
          plugin: 'pii_detection',
          phase: 'request',
          outcome: 'rejected',
          findings: [{ type: 'EMAIL_ADDRESS', start: 5 }],
        },
      ],
    });
    expect(JSON.stringify(json)).not.toContain(ADDRESS);
  });

  it('returns the messages as they would be sent on, and what an observing plugin would have done', async () => {
    const messages = [{ role: 'user', name: 'a', content: [{ type: 'text', text: `Bluebird: ${ADDRESS}` }] }];
    const { json } = await check({ endpoint: 'masks', messages });
    expect(json).toMatchObject({
      decision: 'modify',
      messages: [{ role: 'user', name: 'a', content: [{ type: 'text', text: 'Bluebird: <EMAIL_ADDRESS>' }] }],
      plugin_runs: [{ outcome: 'modified' }, { plugin: 'text_rules', outcome: 'rejected', observed: true }],
    });
  });

  it('checks an answer, whose text is the last message', async () => {
    const messages = [
      { role: 'user', content: ADDRESS },
      { role: 'assistant', content: `It is ${ADDRESS}.` },
    ];
    const { json } = await check({ endpoint: 'masks', messages, phase: 'response' });
    expect(json).toMatchObject({
      decision: 'modify',
      messages: [messages[0], { role: 'assistant', content: 'It is <EMAIL_ADDRESS>.' }],
      plugin_runs: [{ phase: 'response' }, { observed: true, outcome: 'passed' }],
    });
    expect((await check({ endpoint: 'masks', text: 'Hello.', phase: 'response' })).json.decision).toBe(
      'pass',
    );
  });

  it.each<[number, JsonObject, string, string?]>([
    [400, { endpoint: 'masks' }, 'invalid_request'],
    [400, { endpoint: 'masks', text: 'a', messages: [{ role: 'user', content: 'a' }] }, 'invalid_request'],
    [400, { endpoint: 'masks', messages: [{ role: 'nobody', content: 3 }] }, 'invalid_request'],
    [
      400,
      { endpoint: 'masks', messages: [{ role: 'user', content: 'a' }], phase: 'response' },
      'invalid_request',
    ],
    [404, { endpoint: 'none', text: 'a' }, 'model_not_found'],
    [403, { endpoint: 'masks', text: 'a' }, 'insufficient_scope', KEYS.inference],
    [401, { endpoint: 'masks', text: 'a' }, 'invalid_api_key', KEYS.other],
  ])('answers %i for %j', async (status, body, code, key = KEYS.logs) => {
    const answer = await check(body, key);
    expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
  });

  it('asks no model and makes no log', async () => {
    await check({ endpoint: 'masks', text: 'Hello.' });
    expect(gateway.provider.requests).toEqual([]);
    expect(await gateway.logCount()).toBe(0);
  });
});

async function fileOf(all: JsonObject[] = endpoints): Promise<string> {
  const file = join(await temporaryFolder(), 'sluice.yaml');
  // Guards need no credentials, so these variables and files are not there.
  const fake = { api: 'openai', base_url: 'http://127.0.0.1:9/v1', api_key_env: 'NOT_SET_PROVIDER_KEY' };
  const api_keys = [
    { name: 'app', key_env: 'NOT_SET_APP_KEY', scopes: ['inference'] },
    { name: 'bot', key_file: 'none/bot-key', scopes: ['inference'] },
  ];
  const projects = [{ uid: PROJECT, name: 'demo', api_keys, endpoints: all }];
  const admin_keys = [{ name: 'root', key_env: 'NOT_SET_ROOT_KEY' }];
  await writeFile(file, JSON.stringify({ providers: { fake }, projects, admin_keys }));
  return file;
}

/** `sluice guard …` with a file of these endpoints, in a process of its own. */
async function guard(
  args: string[],
  options: { lines?: string[]; endpoints?: JsonObject[]; mongodbUri?: string } = {},
): Promise<{ code: number; out: JsonObject[]; err: string }> {
  const file = await fileOf(options.endpoints);
  const env = { ...process.env, MONGODB_URI: options.mongodbUri };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [mainPath, 'guard', ...args, '--config', file],
      { env },
      (_error, out, err) => {
        const answers = out.split('\n').filter((line) => line !== '');
        resolve({ code: child.exitCode ?? -1, out: answers.map((line) => JSON.parse(line)), err });
      },
    );
    child.stdin?.end(`${(options.lines ?? []).join('\n')}\n`);
  });
}

describe('sluice guard try', () => {
  it('prints the decision for each line of a file with Windows line ends, repeats its id, and waits for a thread', async () => {
    const long = JSON.stringify(`${'The river rose. '.repeat(1_000)}${ADDRESS}`);
    const lines = [
      '\uFEFF{"id":"a","text":"Hello."}\r',
      '{"id":7,"messages":[{"role":"user","content":"Hi."}]}\r',
      `[{"role":"user","content":"I am ${ADDRESS}"}]`,
      '"Hello."',
      '{"text":"Hello."}',
      long,
    ];
    const { code, out } = await guard(['try', '--endpoint', 'rejects'], { lines });
    expect(out.map(({ id, decision }) => [id, decision])).toEqual([
      ['a', 'pass'],
      [7, 'pass'],
      [undefined, 'reject'],
      [undefined, 'pass'],
      [undefined, 'pass'],
      [undefined, 'reject'],
    ]);
    expect(code).toBe(0);
  });

  it('reports the line that it could not read, and continues', async () => {
    const { code, out, err } = await guard(['try', '--endpoint', 'masks'], {
      lines: ['{"a":1}', '{', '"Hello."', '{"text":"a","messages":[{"role":"user","content":"b"}]}'],
    });
    expect([code, out.length]).toEqual([1, 1]);
    expect(err.split('\n').map((line) => line.slice(0, 7))).toEqual(['line 1:', 'line 2:', 'line 4:', '']);
  });

  it('reports an endpoint that does not exist', async () => {
    const config = await fileOf();
    const { code, output } = await runHere(() => guardTry({ endpoint: 'none', config }));
    expect([code, output]).toEqual([1, 'The file has no endpoint "none".\n']);
  });
});

describe.skipIf(missingPrograms !== null)('sluice guard replay', () => {
  it('runs a changed configuration on stored logs, and reports what would differ', async () => {
    const ask = (content: string, metadata = {}) =>
      gateway.ask({ model: 'open', metadata, messages: [{ role: 'user', content }] });
    // Its answer has one too, and would not be there.
    const message = { role: 'assistant', content: ADDRESS };
    gateway.provider.enqueue(jsonReply({ ...COMPLETION, choices: [{ ...COMPLETION.choices[0], message }] }));
    const [said, , elsewhere] = [
      await ask(`I am ${ADDRESS}`),
      await ask('Hello.'),
      await ask(ADDRESS, { a: 'b' }),
    ];
    await gateway.log(elsewhere.id);
    await expect.poll(() => gateway.logCount()).toBe(3);
    const { mongodbUri } = gateway.sluice;
    const changed = [{ name: 'open', models, plugins: [{ plugin: 'pii_detection', mode: 'observe' }] }];
    const options = { endpoints: changed, mongodbUri };
    const filter = '{"tags_none":["a:b"]}';
    const { code, out } = await guard(['replay', '--endpoint', 'open', '--filter', filter], options);
    expect(out).toEqual([
      {
        log_id: said.id,
        phase: 'request',
        before: 'pass',
        after: 'reject',
        new_findings: { EMAIL_ADDRESS: 1 },
      },
      {
        logs: 2,
        unreadable: 0,
        new_rejections: 1,
        new_findings: { EMAIL_ADDRESS: 1 },
        ms: { median: expect.any(Number), p99: expect.any(Number), most: expect.any(Number) },
      },
    ]);
    expect(code).toBe(0);
    const all = await guard(['replay', '--endpoint', 'open'], options);
    expect(all.out.at(-1)).toMatchObject({ logs: 3, new_rejections: 2 });
    const newest = await guard(['replay', '--endpoint', 'open', '--limit', '1'], options);
    expect(newest.out).toMatchObject([{ log_id: elsewhere.id }, { logs: 1 }]);
  });

  it.each([
    ['{', /--filter is not JSON/],
    ['{"tag":["a"]}', /--filter: tag/],
  ])('explains what is wrong with the filter %s', async (filter, message) => {
    const config = await fileOf();
    const { code, output } = await runHere(() =>
      guardReplay({ endpoint: 'masks', filter, limit: 1, config }),
    );
    expect([code, output]).toEqual([1, expect.stringMatching(message)]);
  });
});
