import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/json.js';
import { borrowChains, type Chains, chainEndpoint, GOOD, wanting } from '../../support/chains.js';
import { answerReply, type ChatAnswer, chunk, streamAnswerReply } from '../../support/chat.js';
import { bytesReply, type Reply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const CHECKED = { json_validation: true };
const LIMITS = { response_body_bytes: 65_536, schema_bytes: 32_768 };
const MEGABYTE = 1024 * 1024;

let chains: Chains;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  chains = await borrowChains({
    endpoints: [
      chainEndpoint('alone', ['first'], CHECKED),
      chainEndpoint('both', ['first', 'second'], { ...CHECKED, timeout_ms: 20_000 }),
      chainEndpoint('unchecked', ['first', 'second'], { timeout_ms: 20_000 }),
    ],
    settings: { limits: LIMITS },
  });
});
afterAll(() => chains?.stop());
beforeEach(() => chains?.reset());

const errorOf = (answer: ChatAnswer) => (answer.json as { error: JsonObject }).error;

const nested = (levels: number): JsonObject => {
  let schema: JsonObject = { type: 'object' };
  for (let level = 0; level < levels; level++) schema = { not: schema };
  return schema;
};

/** Goes on for ever, and well over the limit. */
const endless: Reply = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const piece = chunk({ content: 'x'.repeat(10_000) });
  while (!response.destroyed && !response.closed && response.writable) {
    response.write(piece);
    await new Promise((resume) => setTimeout(resume, 1));
  }
};

const bomb: Reply = bytesReply(gzipSync(JSON.stringify({ choices: [], x: ' '.repeat(20 * MEGABYTE) })), {
  headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
});

describe.skipIf(missingPrograms !== null)('an answer over response_body_bytes', () => {
  const LARGE = JSON.stringify({ name: 'x'.repeat(70_000) });

  test.each<[string, Reply, boolean]>([
    ['plain', answerReply(LARGE), false],
    ['a stream', streamAnswerReply(...LARGE.match(/.{1,1000}/g)!), true],
    ['a stream without end', endless, true],
    ['small, but not once it is unpacked', bomb, false],
  ])('counts as invalid, with that reason: %s', async (_what, reply, stream) => {
    chains.first.always(reply);
    chains.second.always(stream ? streamAnswerReply(GOOD) : answerReply(GOOD));
    const answer = await chains.ask('both', { ...wanting(), stream });
    expect(answer.status, answer.text).toBe(200);
    expect((await chains.log(answer)).attempts).toMatchObject([
      { status: 'invalid_output', error: { path: '', message: expect.stringContaining('65536 bytes') } },
      { status: 'success' },
    ]);
  });

  test('is 422 where no model is left', async () => {
    chains.first.always(answerReply(LARGE));
    const answer = await chains.ask('alone', wanting());
    expect([answer.status, errorOf(answer).code]).toEqual([422, 'output_validation_failed']);
    expect(errorOf(answer).message).toContain('65536 bytes');
  });

  test('is a failure of the model where nothing is to be validated', async () => {
    chains.first.always(answerReply(LARGE));
    chains.second.enqueue(answerReply(GOOD), answerReply(LARGE));
    const answer = await chains.ask('unchecked');
    expect([answer.status, (await chains.log(answer)).attempts[0].status]).toEqual([200, 'server_error']);
    const last = await chains.ask('unchecked');
    expect([last.status, errorOf(last).code]).toEqual([502, 'upstream_unavailable']);
    expect(errorOf(last).message).toContain('65536 bytes');
  });

  test('is allowed in a stream that is not held back', async () => {
    chains.first.always(streamAnswerReply(...LARGE.match(/.{1,1000}/g)!));
    const answer = await chains.ask('unchecked', { stream: true });
    expect([answer.status, answer.headers.get('x-sluice-attempts')]).toEqual([200, '1']);
    expect(answer.text.length).toBeGreaterThan(LARGE.length);
  });
});

describe.skipIf(missingPrograms !== null)('a schema that is refused', () => {
  test.each<[string, JsonValue, RegExp]>([
    ['no schema at all', 7, /./],
    ['a type that JSON has not', { type: 'strnig' }, /type/],
    ['a keyword of the wrong type', { required: 'name' }, /required/],
    ['a pattern that is none', { pattern: '(' }, /pattern|expression/i],
    ['a draft that is not served', { $schema: 'http://json-schema.org/draft-04/schema#' }, /2020-12/],
    ['a remote reference', { $ref: 'http://127.0.0.1:1/schema.json' }, /127\.0\.0\.1:1|refer/],
    ['a reference to nothing', { $ref: '#/$defs/gone' }, /gone/],
    ['references that lead back to themselves', { $ref: '#' }, /itself|themselves|ring|loop/],
    ['over schema_bytes', { enum: Array.from({ length: 5_000 }, (_, at) => `value ${at}`) }, /32768/],
    ['300 levels deep', nested(300), /level|deep/],
    ['100,000 levels deep', nested(100_000), /level|deep|bytes/],
  ])('is 400 before any model is asked: %s', async (_what, schema, message) => {
    const text = textOf(schema);
    const answer = await askText('alone', text);
    expect(answer.status, answer.text).toBe(400);
    expect(errorOf(answer).code).toMatch(/^invalid_(json_schema|request)$/);
    expect(errorOf(answer).message).toMatch(message);
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(chains.tries).toEqual([0, 0, 0]);
    expect(await chains.log(answer)).toMatchObject({ status: 'error', http_status: 400, attempts: [] });
  });

  test('is ignored where the endpoint does not validate, since it is between client and model', async () => {
    chains.first.always(answerReply(GOOD));
    expect((await chains.ask('unchecked', wanting({ $ref: 'http://127.0.0.1:1/x' }))).status).toBe(200);
  });
});

describe.skipIf(missingPrograms !== null)('JSON that nests 100,000 levels', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

  test('anywhere in a request is 400 and leaves a log', async () => {
    const fields = `"model":"lone","messages":[{"role":"user","content":"Hello"}]`;
    for (const body of [`{${fields},"x":${deep}}`, `{${fields},"metadata":{"x":${deep}}}`]) {
      const answer = await chains.askText(body);
      expect([answer.status, errorOf(answer).code]).toEqual([400, 'invalid_request']);
      expect((await chains.log(answer)).http_status).toBe(400);
    }
  });

  test('in an answer makes it an answer of unknown form', async () => {
    const body = `{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"x":${deep.slice(70_000, -70_000)}}]}`;
    const reply = bytesReply(body, { headers: { 'content-type': 'application/json' } });
    chains.first.always(reply);
    chains.second.always(answerReply(GOOD));
    const answer = await chains.ask('unchecked');
    expect((await chains.log(answer)).attempts).toMatchObject([
      { status: 'server_error' },
      { status: 'success' },
    ]);
  });

  test('in an output is validated', async () => {
    chains.first.always(answerReply(deep.slice(75_000, -75_000)));
    const answer = await chains.ask('alone', wanting());
    expect([answer.status, errorOf(answer).code]).toEqual([422, 'output_validation_failed']);
  });
});

/** A deep schema overflows JSON.stringify. */
function textOf(schema: JsonValue): string {
  try {
    return JSON.stringify(schema);
  } catch {
    return `${'{"not":'.repeat(100_000)}{}${'}'.repeat(100_000)}`;
  }
}

function askText(endpoint: string, schema: string): Promise<ChatAnswer> {
  return chains.askText(
    `{"model":"${endpoint}","messages":[{"role":"user","content":"Hello"}],"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":${schema}}}}`,
  );
}
