import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { borrowGateway, CHAT_PATH, type Gateway, MESSAGES, PROJECT } from '../../support/gateway.js';
import { streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const MESSAGES_PATH = `/${PROJECT}/anthropic/v1/messages`;
/** JSON.parse takes so many; JSON.stringify overflows the stack. */
const LEVELS = 6_000;
const DEEP = `{"a":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}`;

const frame = (event: { type: string } & Record<string, unknown>) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 1 },
};

/** A stream of the Messages API in which the model calls a tool with these arguments. */
function toolCall(input: string): string[] {
  return [
    frame({ type: 'message_start', message: MESSAGE }),
    frame({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'call_1', name: 'look', input: {} },
    }),
    frame({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: input },
    }),
    frame({ type: 'content_block_stop', index: 0 }),
    frame({
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 5 },
    }),
    frame({ type: 'message_stop' }),
  ];
}

const deepFrame = `data: {"type":"ping","x":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}\n\n`;

describe.skipIf(missingPrograms !== null)('an answer that nests thousands of levels deep', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway({
      providers: (base_url) => ({ claude: { api: 'anthropic', base_url } }),
      endpoints: [
        { name: 'claude', models: [{ provider: 'claude', model: 'm' }] },
        {
          name: 'claude-chain',
          models: [
            { provider: 'claude', model: 'm' },
            { provider: 'claude', model: 'n' },
          ],
        },
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const calls = [
    { path: MESSAGES_PATH, model: 'claude', stream: true },
    { path: MESSAGES_PATH, model: 'claude-chain', stream: true },
    { path: CHAT_PATH, model: 'claude', stream: true },
    { path: CHAT_PATH, model: 'claude-chain', stream: true },
    { path: `/${PROJECT}/openai/v1/responses`, model: 'claude', stream: true, input: 'x' },
  ].map(({ path, ...body }) => ({ path, body: { max_tokens: 9, messages: MESSAGES, ...body } }));

  it.each(calls)('in the arguments of a tool is answered and logged ($path, $body.model)', async (call) => {
    const pid = gateway.sluice.engine.pid;
    gateway.provider.always(streamReply(toolCall(DEEP)));
    const answer = await gateway.call('POST', call.path, { body: call.body });
    expect([answer.status, answer.text.includes('look')]).toEqual([200, true]);
    expect(await gateway.log(answer.id)).toMatchObject({ status: 'success', http_status: 200 });
    expect([gateway.sluice.engine.running, gateway.sluice.engine.pid]).toEqual([true, pid]);
  });

  it.each(calls)(
    'in one event of a stream that no guard sees harms nobody ($path, $body.model)',
    async (call) => {
      gateway.provider.always(
        streamReply([...toolCall('{}').slice(0, 2), deepFrame, ...toolCall('{}').slice(2)]),
      );
      const answer = await gateway.call('POST', call.path, { body: call.body });
      expect([answer.status, answer.text.includes('look')]).toEqual([200, true]);
      expect(await gateway.log(answer.id)).toMatchObject({ status: 'success' });
      expect(gateway.sluice.engine.running).toBe(true);
    },
  );

  it.each(calls)(
    'breaks off in the arguments of a tool, and the log says so ($path, $body.model)',
    async (call) => {
      gateway.provider.always(streamReply(toolCall(DEEP).slice(0, 3)));
      const answer = await gateway.call('POST', call.path, { body: call.body });
      expect(await gateway.log(answer.id)).toMatchObject({ status: 'error' });
      expect(gateway.sluice.engine.running).toBe(true);
    },
  );
});
