import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { borrowChains, type Chains, chainEndpoint } from '../../support/chains.js';
import { answerReply } from '../../support/chat.js';
import { hostileCases } from '../../support/hostile.js';
import { missingPrograms } from '../../support/start-sluice.js';

let chains: Chains;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  chains = await borrowChains({
    endpoints: [
      chainEndpoint('checked', ['first'], { json_validation: true }),
      chainEndpoint('honest', ['second'], { json_validation: true }),
    ],
  });
});
afterAll(() => chains?.stop());
beforeEach(() => chains?.reset());

const request = (endpoint: string, schema: string) =>
  `{"model":"${endpoint}","messages":[{"role":"user","content":"Hello"}],"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":${schema}}}}`;

describe.skipIf(missingPrograms !== null)('a hostile schema or output', () => {
  for (const { what, schema, output, status } of hostileCases('answered')) {
    test(`is answered: ${what}`, async () => {
      chains.first.always(answerReply(output));
      const answer = await chains.askText(request('checked', schema));
      expect(answer.status, answer.text.slice(0, 500)).toBe(status);
      expect((await chains.log(answer)).http_status).toBe(status);
    });
  }

  for (const [index, { what, slow }] of hostileCases('').entries()) {
    if (slow === undefined) continue;
    test(`delays nobody else: ${what}`, async () => {
      chains.second.always(answerReply('{"a":1}'));
      const honest = () => chains.askText(request('honest', '{"type":"object","required":["a"]}'));
      await honest();
      const order: string[] = [];
      const attack = Array.from({ length: 8 }, async (_, at) => {
        const { schema, output } = hostileCases(`${index}/${at}`)[index]!;
        chains.first.always(answerReply(output));
        await chains.askText(request('checked', schema));
        order.push('hostile');
      });
      const answer = await honest();
      order.push('honest');
      await Promise.all(attack);
      expect(answer.status).toBe(200);
      // It came after all of the others, and did not wait for them.
      expect(order.at(-1)).toBe('hostile');
    });
  }
});
