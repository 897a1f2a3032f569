import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { borrowGatewayOf, type Gateway } from '../../support/gateway.js';
import { HardCut } from '../../support/hard-cut.js';
import { OFFICIAL_CLIENTS } from '../../support/official-clients.js';
import { missingPrograms } from '../../support/start-sluice.js';

/*
 * A provider that closes its connection after text went out. Envoy can only do the same to the client; docs/routing.md
 * says why, and what each SDK makes of it.
 */

/** One of the client's own dialect, one of another. */
const PROVIDERS = { chat: { api: 'openai', responses: true }, google: { api: 'gemini' } };

/** What the SDKs for Node throw. */
const THROWN: Record<string, [name: string, message: RegExp]> = {
  'openai.chat': ['OpenAIError', /^terminated$/],
  'openai.responses': ['OpenAIError', /^terminated$/],
  'anthropic.messages': ['AnthropicError', /^terminated$/],
  'gemini.generate': ['TypeError', /^terminated$/],
};

describe.skipIf(missingPrograms !== null)('a stream whose provider closes its connection', () => {
  const provider = new HardCut();
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGatewayOf(PROVIDERS);
    gateway.provider.always(provider.reply);
  });
  afterAll(() => gateway?.stop());

  const rows = OFFICIAL_CLIENTS.map((client, index) => ({
    client,
    from: client.dialect,
    provider: Object.keys(PROVIDERS)[index % 2]!,
  }));

  it.each(rows)(
    'is never mistaken for a complete answer by the SDK of $from (model of $provider)',
    async (row) => {
      const { client } = row;
      const body = { model: row.provider, ...ASKED[client.dialect] };
      const fetch = fetchThatSees('Because', () => provider.cut());
      const error = await client.stream(gateway, body as never, { fetch }).then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      const [name, message] = THROWN[client.dialect]!;
      expect([error?.constructor.name, error?.message]).toEqual([name, expect.stringMatching(message)]);
    },
  );
});

/** Calls back when a text has reached the client. */
function fetchThatSees(text: string, then: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    let seen = '';
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        seen += Buffer.from(chunk).toString('utf8');
        if (seen.includes(text)) then();
      },
    });
    const { status, headers } = response;
    return new Response(response.body!.pipeThrough(watched), { status, headers });
  };
}

const TURN = { role: 'user', content: 'Why is the sky blue?' };
const ASKED: Record<string, object> = {
  'openai.chat': { messages: [TURN] },
  'openai.responses': { input: TURN.content },
  'anthropic.messages': { messages: [TURN], max_tokens: 100 },
  'gemini.generate': { contents: [{ role: 'user', parts: [{ text: TURN.content }] }] },
};
