import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/json.js';
import type { LogRecord } from '../../../src/core/log-record.js';
import { type AdminApi, KEYS, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

const START = Date.UTC(2026, 0, 1);
let minute = 0;

function chat(prompt: string, answer: string | null, changes: Partial<LogRecord> = {}): LogRecord {
  return logRecord({
    created_at: new Date(START + 60_000 * minute++),
    request: {
      model: 'support',
      temperature: 0.5,
      messages: [
        { role: 'developer', content: 'Be short.' },
        { role: 'user', content: prompt },
      ],
    },
    response: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'large',
      inference_log_id: 'x',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answer } }],
    },
    ...changes,
  });
}

const conversation = (prompt: string) => [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: prompt },
];
const said = (content: string) => ({ role: 'assistant', content });

describe.skipIf(missingMongod !== null)('an export', () => {
  let api: AdminApi;
  const TOOLS = [
    {
      type: 'function',
      function: { name: 'find', description: 'Finds.', parameters: { type: 'object', properties: {} } },
    },
  ];
  const CALL = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"what":"x"}' } };
  const logs = {
    good: chat('Good?', 'Yes.', { tags: ['a,b'] }),
    bad: chat('Bad?', 'No.'),
    thumb: chat('Thumb?', 'Up.', { quality_rating: '👍' }),
    improved: chat('Improve?', 'Poor.'),
    plain: chat('Plain?', 'Plain.'),
    failed: chat('Failed?', null, { status: 'error', response: { error: { message: 'x' } } }),
    hidden: chat('Hidden?', 'x', { request: null, response: null, quality_rating: '👍' }),
    rivalBest: chat('Rival?', 'Best.', { quality_rating: '👍' }),
    rivalMiddle: chat('Rival?', 'Middle.'),
    rivalWorst: chat('Rival?', 'Worst.', { quality_rating: '👎' }),
    tools: logRecord({
      created_at: new Date(START + 60_000 * minute++),
      quality_rating: '👍',
      request: {
        model: 'support',
        logprobs: true,
        tools: TOOLS,
        parallel_tool_calls: false,
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Tool?' }] },
          { role: 'assistant', content: null, tool_calls: [CALL] },
          { role: 'tool', tool_call_id: 'c1', content: 'found' },
        ],
      },
      response: {
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'large',
        choices: [
          {
            index: 0,
            finish_reason: 'tool_calls',
            message: { role: 'assistant', content: null, tool_calls: [CALL] },
          },
        ],
      },
    }),
    anthropic: logRecord({
      created_at: new Date(START + 60_000 * minute++),
      api: 'anthropic.messages',
      quality_rating: '👍',
      request: {
        model: 'support',
        max_tokens: 10,
        system: 'Be kind.',
        messages: [{ role: 'user', content: 'Claude?' }],
      },
      response: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [{ type: 'text', text: 'Here.' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }),
    responses: logRecord({
      created_at: new Date(START + 60_000 * minute++),
      api: 'openai.responses',
      quality_rating: '👍',
      request: { model: 'support', instructions: 'Be calm.', input: 'Responses?' },
      response: {
        id: 'resp_1',
        object: 'response',
        created_at: 1,
        status: 'completed',
        model: 'large',
        output: [
          {
            id: 'm',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: 'Here too.', annotations: [] }],
          },
        ],
        usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      },
    }),
  };

  beforeAll(async () => {
    api = await openAdminApi();
    await api.store.logs.insertMany(Object.values(logs));
    const give = (log: LogRecord, body: JsonObject) =>
      api.call('POST', `/${PROJECT}/feedback/${log._id}`, { body: { weight: 1, ...body }, key: KEYS.admin });
    await give(logs.good, { score: 0.5, signal_name: 'judge' });
    await give(logs.bad, { score: -0.5 });
    await give(logs.improved, { score: -1, improvement: said('Rich.'), weight: 0.5 });
    await give(logs.improved, { score: -1, improvement: said('Poorer.'), weight: 0.1 });
    await give(logs.rivalMiddle, { score: 0.1 });
  });

  afterAll(() => api.close());

  async function lines(path: string): Promise<JsonObject[]> {
    const answer = await api.call('GET', `/${PROJECT}/exports/${path}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/jsonl']);
    return answer.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  it('for SFT has improvements and good answers, oldest first, in the format of OpenAI', async () => {
    const taught = (await lines('sft.jsonl?provenance=none')) as { messages: JsonValue[] }[];
    expect(taught.slice(0, 3)).toEqual([
      { messages: [...conversation('Good?'), said('Yes.')] },
      { messages: [...conversation('Thumb?'), said('Up.')] },
      { messages: [...conversation('Improve?'), said('Rich.')] },
    ]);
    expect(taught.slice(3)).toEqual([
      { messages: [...conversation('Rival?'), said('Best.')] },
      { messages: [...conversation('Rival?'), said('Middle.')] },
      {
        messages: [
          { role: 'user', content: 'Tool?' },
          { role: 'assistant', content: null, tool_calls: [CALL] },
          { role: 'tool', tool_call_id: 'c1', content: 'found' },
          { role: 'assistant', content: null, tool_calls: [CALL] },
        ],
        tools: TOOLS,
        parallel_tool_calls: false,
      },
      {
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Claude?' },
          said('Here.'),
        ],
      },
      {
        messages: [
          { role: 'system', content: 'Be calm.' },
          { role: 'user', content: 'Responses?' },
          said('Here too.'),
        ],
      },
    ]);
  });

  it('for SFT includes the other successful logs on request', async () => {
    const taught = (await lines('sft.jsonl?include_unrated=true')) as { messages: { content: string }[] }[];
    const answers = taught.map(({ messages }) => messages.at(-1)?.content);
    expect(answers.slice(0, 4)).toEqual(['Yes.', 'Up.', 'Rich.', 'Plain.']);
    expect(answers).not.toContain('No.');
  });

  it('writes tools for TRL in the form that its chat templates expect', async () => {
    const [line] = await lines('sft.jsonl?format=trl&provenance=none&q=found');
    const call = { ...CALL, function: { name: 'find', arguments: { what: 'x' } } };
    expect(line).toEqual({
      messages: [
        { role: 'user', content: 'Tool?' },
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'found' },
        { role: 'assistant', content: '', tool_calls: [call] },
      ],
      tools: TOOLS,
    });
  });

  it('for DPO pairs an improvement with the answer that it improves, and the best with the worst answer to one prompt', async () => {
    expect(await lines('dpo.jsonl?provenance=none')).toEqual([
      {
        input: { messages: conversation('Improve?') },
        preferred_output: [said('Rich.')],
        non_preferred_output: [said('Poor.')],
      },
      {
        input: { messages: conversation('Rival?') },
        preferred_output: [said('Best.')],
        non_preferred_output: [said('Worst.')],
      },
    ]);
    const [, pair] = await lines('dpo.jsonl?format=trl&provenance=none');
    expect(pair).toEqual({
      prompt: conversation('Rival?'),
      chosen: [said('Best.')],
      rejected: [said('Worst.')],
    });
  });

  it('for DPO compares only what the filters find', async () => {
    const to = logs.rivalWorst.created_at.toISOString();
    const [pair] = await lines(`dpo.jsonl?provenance=none&q=rival&to=${to}`);
    expect(pair).toMatchObject({
      preferred_output: [said('Best.')],
      non_preferred_output: [said('Middle.')],
    });
  });

  it('for KTO labels answers by their rating', async () => {
    const labelled = (await lines('kto.jsonl?provenance=none')) as {
      completion: { content: string }[];
      label: boolean;
    }[];
    expect(labelled[0]).toEqual({ prompt: conversation('Good?'), completion: [said('Yes.')], label: true });
    expect(labelled.map(({ completion, label }) => `${completion[0]?.content} ${label}`)).toEqual([
      'Yes. true',
      'No. false',
      'Up. true',
      'Poor. false',
      'Best. true',
      'Middle. true',
      'Worst. false',
      ' true',
      'Here. true',
      'Here too. true',
    ]);
  });

  it('names for each line the logs that it comes from', async () => {
    const [line] = await lines(`sft.jsonl?tags_any=a,b`);
    expect(line?.provenance).toEqual({
      log_id: logs.good._id,
      score: 0.5,
      quality_rating: null,
      signals: [
        {
          id: expect.any(String),
          score: 0.5,
          weight: 1,
          signal_name: 'judge',
          signal_source: 'user',
          signal_type: 'explicit',
          improvement: false,
        },
      ],
      tags: ['a,b'],
      answer: 'model',
    });
    const pair = (await lines('dpo.jsonl?q=rival'))[0]?.provenance as JsonObject;
    expect([pair.log_id, (pair.rejected as JsonObject).log_id]).toEqual([
      logs.rivalBest._id,
      logs.rivalWorst._id,
    ]);
  });

  it.each([
    ['format', 'kto.jsonl?format=openai'],
    ['format', 'sft.jsonl?format=x'],
    ['include_unrated', 'dpo.jsonl?include_unrated=true'],
    ['provenance', 'sft.jsonl?provenance=x'],
    ['status', 'sft.jsonl?status=x'],
    ['limit', 'sft.jsonl?limit=1'],
  ])('with a wrong %s is answered with a 400 that names it', async (path, query) => {
    const answer = await api.call('GET', `/${PROJECT}/exports/${query}`);
    expect([answer.status, answer.json.error.details[0].path.split('.')[0]]).toEqual([400, path]);
  });

  it('is empty where no log fits, needs the scope, and has one of three kinds', async () => {
    expect(await lines('sft.jsonl?q=nowhere')).toEqual([]);
    expect((await api.call('GET', `/${PROJECT}/exports/sft.jsonl`, { key: KEYS.feedback })).status).toBe(403);
    expect((await api.call('GET', `/${PROJECT}/exports/ppo.jsonl`)).status).toBe(404);
  });

  it('continues over several pages', async () => {
    await api.store.logs.insertMany(
      Array.from({ length: 130 }, (_, index) =>
        chat(`Page ${index}?`, `${index}`, { endpoint: 'paged', quality_rating: '👍' }),
      ),
    );
    expect(await lines('kto.jsonl?endpoint=paged')).toHaveLength(130);
  });

  it('for DPO pairs other answers to a prompt where the best and the worst have the same text', async () => {
    const tags = ['twins'];
    const twins = [
      chat('Twins?', 'Same.', { tags, quality_rating: '👍' }),
      chat('Twins?', 'Other.', { tags }),
      chat('Twins?', 'Same.', { tags, quality_rating: '👎' }),
    ];
    await api.store.logs.insertMany(twins);
    const score = { body: { weight: 1, score: 0.5 }, key: KEYS.admin };
    await api.call('POST', `/${PROJECT}/feedback/${twins[1]!._id}`, score);
    expect(await lines('dpo.jsonl?provenance=none&tags_any=twins')).toEqual([
      {
        input: { messages: conversation('Twins?') },
        preferred_output: [said('Other.')],
        non_preferred_output: [said('Same.')],
      },
    ]);
  });
});
