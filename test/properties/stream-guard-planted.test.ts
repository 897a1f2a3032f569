import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json.js';
import type { SseFrame } from '../../src/dialects/dialect.js';
import { dialectById, dialects } from '../../src/dialects/index.js';
import { findTexts } from '../../src/dialects/members/find-texts.js';
import type { Members } from '../../src/dialects/members/members.js';
import { createSseParser, formatFrame } from '../../src/dialects/wire/sse.js';
import { piiDetection } from '../../src/plugins/pii-detection/index.js';
import { openGuarded, prepareGuard } from './stream-guard-support.js';

/* A card number in each text of each event of each recorded stream, on its way to each kind of client. */

const CARD = '4012888888881881';
const PLANTED = `My card is ${CARD}, thank you.`;
/** Where APIs have what a model says; elsewhere stand ids, names, proofs, and what a provider says of its errors. */
const TEXTS = new Set([
  'content',
  'text',
  'delta',
  'output_text',
  'thinking',
  'refusal',
  'arguments',
  'partial_json',
  'title',
]);
const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));

const prepared = prepareGuard(piiDetection, { entities: ['CREDIT_CARD'] });

/** The value with the text planted at each place in turn. */
function* plantedIn(value: JsonObject): Generator<JsonObject> {
  const places: [holder: JsonObject, key: string][] = [];
  const visit = (inside: JsonValue): void => {
    if (typeof inside !== 'object' || inside === null) return;
    for (const [key, member] of Object.entries(inside)) {
      if (typeof member !== 'string') visit(member as JsonValue);
      else if (TEXTS.has(key)) places.push([inside as JsonObject, key]);
    }
  };
  visit(value);
  for (const [holder, key] of places) {
    const before = holder[key]!;
    holder[key] = PLANTED;
    yield value;
    holder[key] = before;
  }
}

const FILE = `data:text/plain;base64,${Buffer.from(PLANTED).toString('base64')}`;

/** The value with a member in each of its objects in turn that a guard of a plain answer would look at. */
function* withMember(value: JsonObject, known: Members, name: string, content: string): Generator<string> {
  const holders: JsonObject[] = [];
  const visit = (inside: JsonValue): void => {
    if (typeof inside !== 'object' || inside === null) return;
    if (!Array.isArray(inside)) holders.push(inside);
    for (const member of Object.values(inside)) visit(member as JsonValue);
  };
  visit(value);
  for (const holder of holders) {
    if (name in holder) continue;
    holder[name] = content;
    if (findTexts(value, [], known).some(({ text }) => text.includes(CARD))) yield JSON.stringify(value);
    delete holder[name];
  }
}

async function received(frames: readonly SseFrame[], provider: (typeof dialects)[number]): Promise<string[]> {
  const guarded = openGuarded(prepared, provider);
  const went: SseFrame[] = [];
  for (const frame of frames) went.push(...(await guarded.push(frame)).frames);
  went.push(...(await guarded.end()).frames);
  return dialects.map((client) => {
    if (client === provider) return went.map(formatFrame).join('');
    const decoder = provider.createDecoder();
    const encoder = client.createEncoder({ logId: 'log', streamUsage: true, created: 1, model: 'm' });
    const events = went.flatMap((frame) => decoder.decode(frame));
    return [...events.flatMap((event) => encoder.encode(event)), ...encoder.finish()]
      .map(formatFrame)
      .join('');
  });
}

it.each(dialects.map((dialect) => [dialect.id, dialect] as const))(
  'no client gets a card number that is in a text of a stream of %s',
  async (id, provider) => {
    const folder = `${FIXTURES}${id.replace('.', '-')}/`;
    let streams = 0;
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.sse'))) {
      const parser = createSseParser();
      const frames = [...parser.push(readFileSync(folder + name)), ...parser.end()];
      for (const [at, frame] of frames.entries()) {
        const value: unknown = frame.data.startsWith('{') ? JSON.parse(frame.data) : undefined;
        if (!isJsonObject(value)) continue;
        for (const planted of plantedIn(value)) {
          const told = frames.with(at, { ...frame, data: JSON.stringify(planted) });
          for (const text of await received(told, provider)) {
            expect(text, `${name}, event ${at}: ${told[at]!.data}`).not.toContain(CARD);
          }
          streams++;
        }
      }
    }
    expect(streams).toBeGreaterThan(10);
  },
);

it.each(dialects.map((dialect) => [dialect.id, dialect] as const))(
  'no client gets one that is the name of a member, or in a file, in a stream of %s',
  async (id, provider) => {
    const folder = `${FIXTURES}${id.replace('.', '-')}/`;
    const hidden = Buffer.from(CARD).toString('base64').slice(0, 16);
    let streams = 0;
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.sse'))) {
      const parser = createSseParser();
      const frames = [...parser.push(readFileSync(folder + name)), ...parser.end()];
      const at = frames.findIndex(({ data }) => data.startsWith('{'));
      if (at < 0) continue;
      const value = JSON.parse(frames[at]!.data) as JsonObject;
      const planted = [
        ...withMember(value, provider.members.frame, `my ${CARD}`, 'x'),
        ...withMember(value, provider.members.frame, 'file_data', FILE),
      ];
      for (const data of planted) {
        const told = frames.with(at, { ...frames[at]!, data });
        for (const text of await received(told, provider)) {
          expect(text, `${name}: ${data}`).not.toContain(CARD);
          if (id === 'gemini.generate') expect(text).not.toContain(hidden);
        }
        streams++;
      }
    }
    if (readdirSync(folder).some((file) => file.endsWith('.sse'))) expect(streams).toBeGreaterThan(0);
  },
);

it('masks the text of a file and the name of a member in a stream as in a plain answer', async () => {
  const provider = dialectById('gemini.generate');
  const part = { inlineData: { mimeType: 'text/plain', data: Buffer.from(PLANTED).toString('base64') } };
  const chunk = { candidates: [{ index: 0, content: { role: 'model', parts: [part] }, [`${CARD} x`]: 1 }] };
  const all = await received([{ data: JSON.stringify(chunk) }], provider);
  const text = all.join('');
  expect(text).not.toContain(part.inlineData.data);
  expect(text).not.toContain(CARD);
});

it('no client gets one in a text that comes whole before its pieces', async () => {
  const provider = dialectById('openai.responses');
  const place = { item_id: 'rs_1', output_index: 0, summary_index: 0 };
  const events: JsonObject[] = [
    { type: 'response.reasoning_summary_text.delta', ...place, delta: PLANTED },
    { type: 'response.reasoning_summary_text.done', ...place, text: PLANTED },
    { type: 'response.reasoning_summary_text.delta', ...place, delta: ' And so on.' },
  ];
  const frames = events.map((event) => ({ event: String(event.type), data: JSON.stringify(event) }));
  for (const text of await received(frames, provider)) expect(text).not.toContain(CARD);
});
