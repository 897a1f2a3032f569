import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { borrowChains, type Chains, chainEndpoint } from '../../support/chains.js';
import { answerReply, chunk, streamAnswerReply, streamedText } from '../../support/chat.js';
import { borrowGateway, COMPLETION, type Gateway } from '../../support/gateway.js';
import { ControlledStream, jsonReply, type Reply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

/** What comes in time on an idle machine has to come within this on a busy one, too. */
const FIRST_MS = 1_000;
const ROLE = chunk({ role: 'assistant' });

describe.skipIf(missingPrograms !== null)('the first token of a stream', () => {
  let chains: Chains;
  beforeAll(async () => {
    chains = await borrowChains({
      endpoints: [
        chainEndpoint('first-token', ['first', 'second'], { first_token_timeout_ms: FIRST_MS }),
        chainEndpoint('first-token-single', ['first'], { first_token_timeout_ms: FIRST_MS }),
      ],
    });
  });
  afterAll(() => chains?.stop());
  beforeEach(() => chains.reset());

  /** Begins, and says nothing. */
  const silent: Reply = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(ROLE);
  };

  // Where the model has not begun: test/support/suites/policy-rows.ts.
  it('that is late makes the chain continue, even where the answer has begun without text', async () => {
    chains.first.always(silent);
    chains.second.always(streamAnswerReply('from the second'));
    const answer = await chains.ask('first-token', { stream: true });
    expect(streamedText(answer.text)).toBe('from the second');
    expect(answer.headers.get('x-sluice-attempts')).toBe('2');
    expect(await chains.log(answer)).toMatchObject({
      attempts: [{ status: 'timeout' }, { status: 'success' }],
    });
  });

  it('that came in time lets the rest take its time', async () => {
    const stream = new ControlledStream();
    chains.first.enqueue(stream.reply());
    const asked = chains.ask('first-token', { stream: true });
    await stream.send(ROLE + chunk({ content: 'slowly' }));
    await new Promise((resolve) => setTimeout(resolve, FIRST_MS * 1.5));
    await stream.send(`${chunk({ content: ' on' }, 'stop')}data: [DONE]\n\n`);
    await stream.end();
    const answer = await asked;
    expect(streamedText(answer.text)).toBe('slowly on');
    expect(answer.headers.get('x-sluice-attempts')).toBe('1');
  });

  it('that is late at the only model is an error of the stream, and does not matter for a plain answer', async () => {
    chains.first.always(silent);
    const late = await chains.ask('first-token-single', { stream: true });
    expect(late.text).toContain('upstream_timeout');
    chains.first.always(async (response, request) => {
      await new Promise((resolve) => setTimeout(resolve, FIRST_MS * 1.3));
      await answerReply('late')(response, request);
    });
    expect((await chains.ask('first-token-single', {})).status).toBe(200);
  });
});

describe.skipIf(missingPrograms !== null)('a provider with a limit of requests at a time', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway({
      providers: (base_url) => ({
        narrow: { api: 'openai', base_url, max_concurrent: 1 },
        patient: { api: 'openai', base_url, max_concurrent: 1, queue_ms: 20_000 },
        pausing: { api: 'openai', base_url },
      }),
      endpoints: [
        { name: 'narrow', models: [{ provider: 'narrow', model: 'm' }] },
        {
          name: 'narrow-chain',
          models: [
            { provider: 'narrow', model: 'm' },
            { provider: 'fake', model: 'large' },
          ],
        },
        { name: 'patient', models: [{ provider: 'patient', model: 'm' }] },
        {
          name: 'pausing',
          models: [
            { provider: 'pausing', model: 'paused' },
            { provider: 'fake', model: 'large' },
          ],
        },
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  /** One that is under way until it is told. */
  async function hold(model: string) {
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const opened = gateway.open({ model, stream: true });
    await stream.send(ROLE);
    const response = await opened;
    return async () => {
      await stream.send(`${chunk({ content: 'x' }, 'stop')}data: [DONE]\n\n`);
      await stream.end();
      await response.text();
    };
  }

  it('refuses the next one, or passes it to the next model, until a place is free', async () => {
    const free = await hold('narrow');
    const refused = await gateway.ask({ model: 'narrow' });
    expect(refused.status).toBe(503);
    expect(refused.json.error.code).toBe('overloaded');
    expect(refused.headers.get('retry-after')).toBe('1');
    const other = await gateway.ask({ model: 'narrow-chain' });
    expect(other.headers.get('x-sluice-model')).toBe('fake/large');
    await free();
    expect((await gateway.ask({ model: 'narrow' })).status).toBe(200);
    expect((await gateway.ask({ model: 'narrow-chain' })).headers.get('x-sluice-model')).toBe('narrow/m');
  });

  it('lets the next one wait in its queue, and keeps no place for a client that left', async () => {
    const free = await hold('patient');
    const left = new AbortController();
    const gone = gateway.ask({ model: 'patient' }, { signal: left.signal });
    const waiting = gateway.ask({ model: 'patient' });
    left.abort();
    await expect(gone).rejects.toThrow();
    await free();
    expect((await waiting).status).toBe(200);
    expect((await gateway.ask({ model: 'patient' })).status).toBe(200);
  });

  it('frees the place when a stream is aborted', async () => {
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const client = new AbortController();
    const opened = gateway.open({ model: 'narrow', stream: true }, { signal: client.signal });
    await stream.send(ROLE);
    await opened;
    client.abort();
    await waitFor('it is free', async () => (await gateway.ask({ model: 'narrow' })).status === 200, {
      timeoutMs: 10_000,
    });
  });

  it('is left out of new chains while it reports that nothing is left of its own limits', async () => {
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '2s' };
    gateway.provider.enqueue(jsonReply(COMPLETION, { headers }));
    const modelOf = async () => (await gateway.ask({ model: 'pausing' })).headers.get('x-sluice-model');
    expect(await modelOf()).toBe('pausing/paused');
    expect(await modelOf()).toBe('fake/large');
    await waitFor('it is asked again', async () => (await modelOf()) === 'pausing/paused', {
      timeoutMs: 10_000,
    });
  });
});
