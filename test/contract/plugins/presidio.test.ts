import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { piiDetection } from '../../../src/plugins/pii-detection/index.js';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import { contextOf, pluginEntry, preparePlugins, user } from '../../support/plugin-host.js';
import { jsonReply } from '../../support/replies.js';

let presidio: FakeProvider;
beforeAll(async () => {
  presidio = await startFakeProvider();
});
afterEach(() => presidio.reset());
afterAll(() => presidio.stop());

/** One request with this text, looked at by an analyzer that gives these results. */
async function run(text: string, results: unknown, config: JsonObject = {}, status = 200) {
  presidio.enqueue(jsonReply(results, { status }));
  const base = { engine: 'presidio', presidio_url: `http://127.0.0.1:${presidio.port}/` };
  const { host, plugins } = preparePlugins(
    [piiDetection],
    [pluginEntry('pii_detection', { config: { ...base, ...config } })],
  );
  onTestFinished(() => host.close());
  return host.runRequest(plugins, contextOf(), [user(text)], {});
}

const result = (entity_type: string, start: number, end: number, score = 0.85) => {
  return { entity_type, start, end, score, analysis_explanation: null };
};

it('asks the analyzer with the configured options', async () => {
  const config = { entities: ['PERSON'], language: 'de', score_threshold: 0.7, context: ['kunde'] };
  await run('Hallo Anna', [], config);
  const request = await presidio.received();
  expect([request.method, request.path]).toEqual(['POST', '/analyze']);
  expect(request.json()).toEqual({
    text: 'Hallo Anna',
    language: 'de',
    entities: ['PERSON'],
    score_threshold: 0.7,
    return_decision_process: false,
    context: ['kunde'],
  });
});

it('turns its results into findings, with offsets in UTF-16 units instead of code points', async () => {
  const outcome = await run('😀 Anna here', [result('PERSON', 2, 6)]);
  expect(outcome.rejection?.clientCode).toBe('pii_detected');
  expect(outcome.runs[0]?.findings).toEqual([
    { type: 'PERSON', place: '/0/parts/0/text', start: 3, end: 7, score: 0.85 },
  ]);
});

it('masks its findings', async () => {
  const outcome = await run('I am Anna.', [result('PERSON', 5, 9)], {
    reject_on_detection: false,
    mask: true,
  });
  expect(outcome.content).toEqual([user('I am <PERSON>.')]);
});

it('keeps the surer one of overlapping results, and drops types that we do not have', async () => {
  const results = [result('PERSON', 0, 4, 0.6), result('LOCATION', 2, 9, 0.9), result('UK_NINO', 12, 14)];
  const outcome = await run('Anna Park at 12', results);
  expect(outcome.runs[0]?.findings).toMatchObject([{ type: 'LOCATION' }]);
});

it('applies our lists of allowed and denied terms', async () => {
  const config = { allow_list: ['anna'], deny_list: ['/blue\\w+/'], reject_on_detection: false };
  const outcome = await run('Anna has a bluebird', [result('PERSON', 0, 4)], config);
  expect(outcome.runs[0]?.findings).toMatchObject([{ type: 'DENY_LIST', start: 11, end: 19, score: 1 }]);
});

it('explains its decisions where asked to', async () => {
  const explanation = {
    recognizer: 'SpacyRecognizer',
    original_score: 0.85,
    textual_explanation: 'seen as PERSON',
  };
  const outcome = await run('Anna', [{ ...result('PERSON', 0, 4), analysis_explanation: explanation }], {
    return_decision_process: true,
  });
  expect(outcome.runs[0]?.debug).toMatchObject({
    decisions: [{ recognizer: 'SpacyRecognizer', base_score: 0.85, reason: 'seen as PERSON' }],
  });
});

it.each([
  ['it fails', { error: 'No matching recognizers were found' }, 500, /answered 500/],
  ['it gives no list', { results: [] }, 200, /no list/],
  ['it points outside of the text', [result('PERSON', 2, 99)], 200, /place/],
])('is an error of the plugin when %s', async (_, reply, status, reason) => {
  const outcome = await run('Anna', reply, {}, status);
  expect(outcome.rejection).toBeUndefined();
  expect(outcome.runs[0]).toMatchObject({ outcome: 'error', reason: expect.stringMatching(reason) });
});
