import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { borrowGateway, type Gateway } from '../../support/gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

const SSN = '536-22-8914';
const SENTENCE =
  'The committee met again in the afternoon, and nobody in the room could say why the river had risen so early. ';

/** Prose of about so many characters, with a social security number at its end. */
function proseWithNumber(characters: number, salt = ''): string {
  return `${salt} ${SENTENCE.repeat(Math.ceil(characters / SENTENCE.length))}My social security number is ${SSN}.`;
}

/** As an operator writes it who says nothing of times and errors. */
function guarded(name: string, more: JsonObject = {}): JsonObject {
  const plugins = [{ plugin: 'pii_detection', phases: ['request'], config: {}, ...more }];
  return { name, models: [{ provider: 'fake', model: 'large' }], plugins };
}

describe.skipIf(missingPrograms !== null)('a guard under size and load', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway({
      endpoints: [
        guarded('plain'),
        guarded('open', { on_error: 'allow' }),
        guarded('hasty', { timeout_ms: 1 }),
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const ask = (model: string, content: string) =>
    gateway.ask({ model, messages: [{ role: 'user', content }] });

  it('reads 1.3 MB of prose to its end', async () => {
    const answer = await ask('plain', proseWithNumber(1_300_000));
    expect([answer.status, answer.json.error?.code]).toEqual([400, 'pii_detected']);
    expect(gateway.provider.requests).toEqual([]);
    const log = await gateway.log(answer.id);
    expect(log.plugin_runs).toMatchObject([{ outcome: 'rejected', findings: [{ type: 'US_SSN' }] }]);
  });

  it('reads every one of 20 requests of 100 KiB that come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask('plain', proseWithNumber(102_400, `Request ${index}.`))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(400));
    expect(gateway.provider.requests).toEqual([]);
  });

  it('refuses a text that it could not read in time, and says so in the log', async () => {
    const answer = await ask('hasty', proseWithNumber(1_300_000));
    expect([answer.status, answer.json.error?.code]).toEqual([503, 'plugin_failed']);
    expect(gateway.provider.requests).toEqual([]);
    const log = await gateway.log(answer.id);
    expect(log.plugin_runs).toMatchObject([
      { outcome: 'timeout', reason: expect.stringContaining('ms of work') },
    ]);
  });

  const huge = proseWithNumber(9_000_000);
  it('refuses more text than any model reads', async () => {
    const answer = await ask('plain', huge);
    expect([answer.status, answer.json.error?.code]).toEqual([413, 'request_too_large']);
    expect(gateway.provider.requests).toEqual([]);
  });

  it('refuses more texts than plugins may be shown, and stores none of them', async () => {
    const odd = Array.from({ length: 250_000 }, () => 'a');
    const answer = await gateway.ask({ model: 'plain', messages: [{ role: 'user', content: SSN }], odd });
    expect([answer.status, answer.json.error?.code]).toEqual([413, 'request_too_large']);
    expect(gateway.provider.requests).toEqual([]);
    expect(await gateway.log(answer.id)).toMatchObject({ status: 'error', request: null });
  });

  it('lets such texts pass where the operator asks for that', async () => {
    const answer = await ask('open', huge);
    expect(answer.status).toBe(200);
    const log = await gateway.log(answer.id);
    expect(log.plugin_runs).toMatchObject([{ outcome: 'timeout', reason: expect.any(String) }]);
  });
});
