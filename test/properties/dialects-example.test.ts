import { describe, expect, it } from 'vitest';
import { cohereChat } from '../../examples/dialect-cohere/index.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import { dialects } from '../../src/dialects/index.js';
import { describeDialect } from './dialects-suite.js';
import {
  answerOf,
  CONTEXT,
  decodeAll,
  documentOf,
  encodeAll,
  fixture,
  framesOf,
  substance,
  TARGET,
} from './dialects-support.js';

/* The example of a fourth dialect is on the same trial as the others, and takes part in translation. */

describe('the example', () => {
  describeDialect(cohereChat, { metadata: true });

  describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('with %s', (_id, other) => {
    it.each(['tool-call', 'tool-result', 'structured-output', 'stream'])(
      'translates the request %s in both directions',
      (name) => {
        for (const [client, provider] of [
          [cohereChat, other],
          [other, cohereChat],
        ] as const) {
          const document = documentOf(fixture(client, 'request.json', name).text);
          const view = atOnce(client.readRequest(document));
          const carried = documentOf(
            atOnce(provider.fromNeutral(atOnce(client.toNeutral(document, view)), TARGET)),
          );
          expect(
            atOnce(provider.readRequest(carried, { model: 'large', stream: view.stream })),
          ).toMatchObject({
            model: 'large',
            stream: view.stream,
          });
          expect(atOnce(provider.readMessages(carried))).not.toEqual([]);
        }
      },
    );

    it.each(['text', 'tool-call', 'structured-output', 'reasoning'])(
      'translates the stream %s in both directions',
      (name) => {
        for (const [client, provider] of [
          [cohereChat, other],
          [other, cohereChat],
        ] as const) {
          const events = decodeAll(provider, framesOf(fixture(provider, 'sse', name).bytes));
          const read = answerOf(decodeAll(client, encodeAll(client, events, CONTEXT)));
          expect(substance(read)).toEqual(substance(answerOf(events)));
          expect(read.choices[0]!.finishReason).toBe(answerOf(events).choices[0]!.finishReason);
        }
      },
    );
  });
});
