import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { answerReply, streamAnswerReply, streamedText } from '../../support/chat.js';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import { borrowGateway, type Gateway } from '../../support/gateway.js';
import { bytesReply, jsonReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

describe.skipIf(missingPrograms !== null)('a webhook behind the gateway', () => {
  let gateway: Gateway;
  let hook: FakeProvider;
  beforeAll(async () => {
    hook = await startFakeProvider();
    const url = `http://127.0.0.1:${hook.port}/guard`;
    const endpoint = (name: string, phase: string, more: JsonObject = {}): JsonObject => ({
      name,
      models: [{ provider: 'fake', model: 'large' }],
      plugins: [{ plugin: 'webhook', phases: [phase], config: { url }, timeout_ms: 20_000 }],
      ...more,
    });
    gateway = await borrowGateway({
      endpoints: [
        endpoint('asks-first', 'request'),
        endpoint('asks-after', 'response'),
        endpoint('tells', 'log'),
        endpoint('checks', 'response', { json_validation: true }),
      ],
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await hook?.stop();
  });
  beforeEach(() => {
    gateway.provider.reset();
    hook.reset();
  });

  const question = { messages: [{ role: 'user', content: 'Where is it?' }] };

  it('rejects a request with its reason, and the log contains nothing of the text', async () => {
    hook.enqueue(jsonReply({ reject: true, rejectReason: 'We are closed.' }));
    const headers = { cookie: 'a=b' };
    const answer = await gateway.ask(
      { model: 'asks-first', metadata: { task: 'chat' }, ...question },
      { headers },
    );
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ code: 'rejected_by_plugin', message: 'We are closed.' });
    expect(gateway.provider.requests).toEqual([]);
    const told = (await hook.received()).json();
    expect(told).toMatchObject({
      phase: 'request',
      requestId: answer.id,
      metadata: { task: 'chat' },
      messages: question.messages,
      requestBody: { model: 'asks-first', ...question },
    });
    const names = Object.keys(told.requestHeaders as JsonObject);
    expect(names).not.toContain('authorization');
    expect(names).not.toContain('cookie');
    const log = await gateway.log(answer.id);
    expect(log.request.messages).toEqual([{ role: 'user', content: '<REJECTED>' }]);
  });

  it('changes what the model reads', async () => {
    hook.enqueue(jsonReply({ messages: [{ role: 'user', content: 'Where is parcel 7?' }] }));
    const answer = await gateway.ask({ model: 'asks-first', ...question });
    expect(answer.status).toBe(200);
    expect((await gateway.provider.received()).json().messages).toEqual([
      { role: 'user', content: 'Where is parcel 7?' },
    ]);
  });

  it('is skipped when it fails, and the log says so', async () => {
    hook.enqueue(bytesReply('down', { status: 502 }));
    const answer = await gateway.ask({ model: 'asks-first', ...question });
    expect(answer.status).toBe(200);
    const log = await gateway.log(answer.id);
    expect(log.plugin_runs).toMatchObject([{ outcome: 'error', reason: expect.stringContaining('502') }]);
  });

  it('sees a stream as a whole, and changes it before any of it is sent', async () => {
    gateway.provider.enqueue(streamAnswerReply('It is ', 'in Ro', 'me.'));
    hook.enqueue(jsonReply({ messages: [{}, { content: 'It is in Oslo.' }] }));
    const answer = await gateway.ask({ model: 'asks-after', stream: true, ...question });
    expect(streamedText(answer.text)).toBe('It is in Oslo.');
    expect((await hook.received()).json()).toMatchObject({
      phase: 'response',
      messages: [...question.messages, { role: 'assistant', content: 'It is in Rome.' }],
    });
  });

  it('rejects a stream with a plain error', async () => {
    gateway.provider.enqueue(streamAnswerReply('It is ', 'in Rome.'));
    hook.enqueue(jsonReply({ reject: true, rejectReason: 'No places.' }));
    const answer = await gateway.ask({ model: 'asks-after', stream: true, ...question });
    expect(answer.status).toBe(400);
    expect(answer.json.error.message).toBe('No places.');
    expect(answer.text).not.toContain('Rome');
    const log = await gateway.log(answer.id);
    expect(JSON.stringify(log.response)).not.toContain('Rome');
  });

  it('cannot break an output that must satisfy a schema', async () => {
    const schema = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };
    gateway.provider.enqueue(answerReply('{"city":"Rome"}'));
    hook.enqueue(jsonReply({ messages: [{}, { content: '{"town":"Rome"}' }] }));
    const answer = await gateway.ask({
      model: 'checks',
      ...question,
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
    });
    expect(answer.status).toBe(422);
    expect(answer.json.error.code).toBe('output_validation_failed');
  });

  it('receives a finished exchange after the client has its answer', async () => {
    hook.enqueue(jsonReply({}));
    const answer = await gateway.ask({ model: 'tells', ...question });
    expect(answer.status).toBe(200);
    const told = (await hook.received()).json();
    expect(told).toMatchObject({
      phase: 'log',
      requestId: answer.id,
      record: { _id: answer.id, status: 'success' },
    });
  });
});
