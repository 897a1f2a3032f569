import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { dialects } from '../../src/dialects/index.js';
import { formatFrame } from '../../src/dialects/wire/sse.js';
import { fixturesOf, framesOf } from '../properties/dialects-support.js';
import { type Decision, type Guarded, guardAnswer, guardRequest } from '../support/guarded-exchange.js';
import { DATA_URLS, disguised } from '../support/obfuscated-values.js';
import { objectsOf, type Place, parsed, planted, says, stringsOf, withMember } from './planted.js';

/*
 * Personal values in all disguises, in each string of each fixture of each API: requests, plain answers and streams. They
 * are masked or refused, but in the members that docs/security.md names.
 */

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 60);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const CARD = { value: '4111 1111 1111 1111', text: 'My card: 4111 1111 1111 1111.' };

/** What no guard looks at: the metadata of a request, and what an answer of Responses repeats of its request. */
const PASSED_BY = [
  /^\S+ request: metadata\b(?!\.user_id)/,
  /^openai\.responses (answer|stream): (response\.)?(text|tool_choice|tools|instructions|reasoning|prompt|metadata)\b/,
];

/** A guard reads these as JSON, in which the escapes of JSON are escaped once more (docs/security.md). */
const OBJECT_OF_CALL = /\.(args|input|response|action)\b/;

/** A place in a body, where another text goes through a guard. */
interface Spot {
  kind: 'request' | 'answer' | 'stream';
  told: string;
  guard(text: string, decision: Decision): Promise<Guarded>;
}

/** How a text is put into a body: in the place of a string, or as the name of a further member. */
interface Planting {
  places(body: JsonObject): Place[];
  plant(body: string, place: Place, text: string): string;
}

const AS_STRING: Planting = { places: stringsOf, plant: planted };
const AS_NAME: Planting = { places: objectsOf, plant: withMember };

function spotsOf(dialect: Dialect, { places, plant }: Planting): Spot[] {
  const spot = (kind: Spot['kind'], { name }: Place, guard: Spot['guard']): Spot => ({
    kind,
    told: `${dialect.id} ${kind}: ${name}`,
    guard,
  });
  const requests = fixturesOf(dialect, 'request.json').flatMap(({ text }) =>
    places(parsed(text)).map((place) =>
      spot('request', place, (value, decision) => guardRequest(dialect, plant(text, place, value), decision)),
    ),
  );
  const answers = fixturesOf(dialect, 'response.json')
    .filter(({ name }) => !name.startsWith('error'))
    .flatMap(({ text }) =>
      places(parsed(text)).map((place) =>
        spot('answer', place, (value, decision) => guardAnswer(dialect, plant(text, place, value), decision)),
      ),
    );
  const streams = fixturesOf(dialect, 'sse').flatMap(({ bytes }) => {
    const frames = framesOf(bytes);
    return frames.flatMap((frame, at) => {
      if (!frame.data.startsWith('{')) return [];
      return places(parsed(frame.data)).map((place) =>
        spot('stream', place, (value, decision) => {
          // Letters of the events beside it may hide a value, or the word that names it (docs/security.md).
          const changed = { ...frame, data: plant(frame.data, place, ` ${value} `) };
          return guardAnswer(dialect, frames.with(at, changed).map(formatFrame), decision);
        }),
      );
    });
  });
  return [...requests, ...answers, ...streams];
}

const spots = dialects.flatMap((dialect) => spotsOf(dialect, AS_STRING));
const names = dialects.flatMap((dialect) => spotsOf(dialect, AS_NAME));
const isGuarded = ({ told }: Spot) => !PASSED_BY.some((name) => name.test(told));
const guarded = spots.filter(isGuarded);

it('no card number passes in a member of any API, except in those listed', async () => {
  const missed = new Set<string>();
  const masked = { request: 0, answer: 0, stream: 0 };
  for (const { told, kind, guard } of guarded) {
    const { text } = await guard(CARD.text, 'mask');
    if (says(text, CARD.value)) missed.add(told);
    if (text.includes('<CREDIT_CARD>')) masked[kind]++;
  }
  expect([...missed]).toEqual([]);
  // Others are members of which an API takes a few words only: it refuses the request.
  for (const count of Object.values(masked)) expect(count).toBeGreaterThan(100);
});

it('no card number passes as the name of a member', async () => {
  const missed = new Set<string>();
  for (const { told, guard } of names.filter(isGuarded)) {
    const { text } = await guard(CARD.text, 'mask');
    if (says(text, CARD.value)) missed.add(told);
  }
  expect([...missed]).toEqual([]);
});

/** Where an API takes a file as a `data:` URL, or as base64. */
const FILES = /\b(image_url(\.url)?|file_data|inline_?data\.data)$/i;

it.each(Object.entries(DATA_URLS))('no card number passes in a file of text: %s', async (_form, write) => {
  const url = write(CARD.text);
  const files = spots.filter(({ kind, told }) => kind === 'request' && FILES.test(told));
  expect(new Set(files.map(({ told }) => told.split(' ', 1)[0])).size).toBeGreaterThanOrEqual(3);
  for (const { told, guard } of files) expect(says((await guard(url, 'reject')).text, url), told).toBe(false);
});

it('each listed member does let one pass, so that the list is no longer than needed', async () => {
  const passed = spots.filter((spot) => !guarded.includes(spot));
  for (const name of PASSED_BY) {
    const ofName = passed.filter(({ told }) => name.test(told));
    const texts = await Promise.all(ofName.map(({ guard }) => guard(CARD.text, 'mask')));
    expect(texts.some(({ text }) => says(text, CARD.value))).toBe(true);
  }
});

it(`no disguised number passes in any member, for ${SECONDS} s`, async () => {
  console.log(`SEED=${SEED}`);
  const until = performance.now() + SECONDS * 1_000;
  for (let round = 0; performance.now() < until; round++) {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...guarded),
        disguised,
        fc.constantFrom<Decision>('mask', 'reject'),
        async ({ told, guard }, { text, value }, decision) => {
          fc.pre(!(OBJECT_OF_CALL.test(told) && value.includes('\\u')));
          const { text: went } = await guard(text, decision);
          expect(says(went, value), `${told}: ${JSON.stringify(text)}`).toBe(false);
        },
      ),
      { numRuns: 100, seed: SEED + round },
    );
  }
});
