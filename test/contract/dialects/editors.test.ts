import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { JsonObject } from '../../../src/core/json.js';
import { answerReply } from '../../support/answer-reply.js';
import { PROVIDER_NAMES, type ProviderName, useOddGateway } from '../../support/odd-providers.js';
import { missingPrograms } from '../../support/start-sluice.js';

/*
 * Requests of editors and chat programs that cannot be run here: Cline, Continue, Open WebUI and LibreChat. Each was
 * written after the client's public source, which the fixture names.
 */

const FOLDER = new URL('../../fixtures/editors/', import.meta.url);

interface Recorded {
  api: ConversationId;
  /** Repository and files that send it. */
  source: string;
  body: JsonObject;
}

const recorded = readdirSync(FOLDER).map((file): [string, Recorded] => [
  file.replace('.json', ''),
  JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Recorded,
]);
const cases = recorded.flatMap(([name, request]) =>
  PROVIDER_NAMES.map((provider) => [name, provider, request] as const),
);

describe.skipIf(missingPrograms !== null)('a request of an editor', () => {
  const odd = useOddGateway();
  beforeEach(() => {
    const said = { type: 'text' as const, text: 'All is well.' };
    odd.gateway.provider.always(answerReply({ parts: [said], finishReason: 'stop' }));
  });

  it.each(cases)('%s is accepted by %s, and answered', async (_name, provider, { api, body }) => {
    const answer = await odd.ask(api, provider, body);
    expect(answer.status, answer.text).toBe(200);
    odd.taken(provider);
    expect(answer.text.replace(/[^A-Za-z .]|"/g, '')).toContain('well');
    expect(answer.headers.get('content-type')).toContain(
      body.stream === true ? 'text/event-stream' : 'application/json',
    );
  });

  it.each(cases.filter(([, , { body }]) => body.tools !== undefined))(
    '%s receives a call of its tool from %s',
    async (_name, provider, { api, body }) => {
      const [tool] = body.tools as { name?: string; function?: { name: string } }[];
      const name = tool!.function?.name ?? tool!.name!;
      const call = { type: 'tool-call' as const, id: idOf(provider), name, arguments: '{"path":"a"}' };
      odd.gateway.provider.always(answerReply({ parts: [call], finishReason: 'tool-calls' }));
      const answer = await odd.ask(api, provider, body);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text).toContain(`"name":"${name}"`);
    },
  );
});

const idOf = (provider: ProviderName) => (provider === 'mistral' ? 'call00001' : 'call_1');
