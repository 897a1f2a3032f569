import { describe, expect, it } from 'vitest';
import { type PipelineOptions, requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import type { JsonObject } from '../../core/json.js';
import { BytesDocument } from '../../core/written-json/bytes-document.js';
import type { Plugin } from '../../plugins/contract/plugin.js';
import { entryToJson } from '../../spool/entry.js';
import { finish } from '../end/finish.js';
import type { ExchangeStart } from '../exchange/exchange.js';
import { receive } from '../request/receive.js';

const QUESTION = `How far is it? ${'é漢😀 and more '.repeat(500)}`;
const LONG = { messages: [{ role: 'user', content: QUESTION }], metadata: { task: 'faq' } };
const ENDING = { status: 'success', httpStatus: 200, response: { said: 'yes' } } as const;
const watching: Plugin<unknown> = {
  name: 'watching',
  configSchema: {},
  response: () => ({ action: 'pass' }),
};

async function attempted(
  body: Buffer,
  { start, ...options }: PipelineOptions & { start?: Partial<ExchangeStart> } = {},
) {
  const pipeline = new TestPipeline({
    ...options,
    limits: { request_body_bytes: 100_000, ...options.limits },
  });
  const exchange = pipeline.exchange(start);
  await receive(exchange, body, pipeline.services);
  const { body: sent } = pipeline.attempt(exchange);
  const document = exchange.received!.document;
  return { pipeline, exchange, sent: await sent, document };
}

const hasValue = (document: unknown) => document instanceof BytesDocument && document.hasValue;

describe('a long request whose attempt is written', () => {
  it('is only its bytes until its log is made, which is the same as if it had been kept', async () => {
    const body = requestBody(LONG);
    const { pipeline, exchange, document } = await attempted(body);
    expect(hasValue(document)).toBe(false);
    await finish(exchange, ENDING, pipeline.services);
    expect(hasValue(document)).toBe(false);
    const [record] = pipeline.records;
    const { metadata, ...request } = JSON.parse(body.toString()) as JsonObject;
    const log = JSON.parse(await entryToJson({ kind: 'log', record: record! })) as JsonObject;
    expect(log).toMatchObject({ request, metadata, preview: { output: null } });
    expect((log.preview as JsonObject).input).toMatch(/^How far is it\? é漢😀/);
  });

  it('is read anew for the next attempt, which gets the same body for another model', async () => {
    const models = ['large', 'small'].map((model) => ({ provider: 'local', model, structured_output: true }));
    const { pipeline, exchange, sent, document } = await attempted(requestBody(LONG), {
      endpoint: { models },
    });
    const again = await pipeline.attempt(exchange).body;
    expect(again.toString()).toBe(sent.toString().replace('"model":"large"', '"model":"small"'));
    expect(hasValue(document)).toBe(false);
  });

  it.each<[string, Parameters<typeof attempted>]>([
    ['a plugin looks at the answer', [requestBody(LONG), { plugins: [watching] }]],
    [
      'JSON.stringify would write it differently',
      [Buffer.from(JSON.stringify(JSON.parse(requestBody(LONG).toString()), null, 1))],
    ],
  ])('keeps its value where %s', async (_why, parameters) => {
    const { pipeline, exchange, document } = await attempted(...parameters);
    expect(hasValue(document)).toBe(true);
    await finish(exchange, ENDING, pipeline.services);
    expect(pipeline.records).toMatchObject([{ request: { messages: LONG.messages } }]);
  });

  it('is logged with the usage that is estimated of its messages', async () => {
    const { pipeline, exchange } = await attempted(requestBody(LONG));
    const answer = {
      id: '1',
      model: 'large',
      choices: [{ index: 0, finishReason: 'stop' as const, parts: [] }],
    };
    await finish(exchange, { ...ENDING, answer }, pipeline.services);
    const [record] = pipeline.records;
    expect(record!.usage).toMatchObject({ estimated: true });
    expect(record!.usage!.input_tokens).toBeGreaterThan(QUESTION.length / 4);
  });
});
