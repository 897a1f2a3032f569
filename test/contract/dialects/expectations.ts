import { expect } from 'vitest';
import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { JsonObject } from '../../../src/core/json.js';
import { fixtureJson, fixtureText, folderOf } from '../../support/dialect-provider.js';
import { DIALECT_SAMPLES } from '../../support/dialect-samples.js';

/*
 * What a request and an answer must be on the other side of the gateway. In the same API it is the fixture itself,
 * in another what stands in `test/fixtures/translated`.
 */

/** An answer as it came to the client, and what its SDK made of it. */
export interface SeenAnswer {
  read: unknown;
  text: string;
  /** The log id. */
  id: string;
}

/** What the provider must get, as JSON. */
export function expectedRequest(
  client: ConversationId,
  spoken: ConversationId,
  name: string,
  stream: boolean,
): JsonObject {
  // Gemini says it in its path, as it does the model.
  const streaming: JsonObject =
    stream && spoken !== 'gemini.generate'
      ? { stream: true, ...(spoken === 'openai.chat' ? { stream_options: { include_usage: true } } : {}) }
      : {};
  if (client !== spoken) {
    const pair = `${folderOf(client)}-to-${folderOf(spoken)}`;
    return { ...fixtureJson(`translated/${pair}/${name}.request.json`), ...streaming };
  }
  const { metadata, ...body } = fixtureJson(`${folderOf(client)}/${name}.request.json`);
  const user = client === 'anthropic.messages' && metadata ? (metadata as JsonObject).user_id : undefined;
  return {
    ...body,
    // Google's SDK always sends its settings, be they empty.
    ...(client === 'gemini.generate'
      ? { generationConfig: body.generationConfig ?? {} }
      : { model: 'large' }),
    ...(user === undefined ? {} : { metadata: { user_id: user } }),
    ...streaming,
  };
}

/** What stands in the golden files instead of what is new each time. */
const GOLDEN_ID = '01936f5c-8a3e-7c4d-9b2f-1a2b3c4d5e6f';
const GOLDEN_TIME = '1741570283';

/** A golden text as it must be in this answer: ids of items are made of the log id, too. */
function withIds(golden: string, id: string, created: number): string {
  return golden
    .replaceAll(GOLDEN_ID, id)
    .replaceAll(GOLDEN_ID.replaceAll('-', ''), id.replaceAll('-', ''))
    .replaceAll(GOLDEN_TIME, String(created));
}

/** A whole answer: the fixture with our field, or its translation. */
export function expectPlain(
  client: ConversationId,
  spoken: ConversationId,
  answer: string,
  seen: SeenAnswer,
  asked: JsonObject,
): void {
  const { id, text } = seen;
  const json = JSON.parse(text) as JsonObject;
  const created = Number(json.created ?? json.created_at);
  if (client === spoken) {
    const fixture = fixtureText(`${folderOf(spoken)}/${answer}.response.json`);
    expect(json).toEqual({ ...(JSON.parse(fixture) as JsonObject), inference_log_id: id });
  } else {
    const golden = fixtureText(
      `translated/${folderOf(client)}-to-${folderOf(spoken)}/${answer}.response.json`,
    );
    // Responses repeat how the text was wanted.
    const repeated = client === 'openai.responses' && asked.text !== undefined ? { text: asked.text } : {};
    expect(json).toEqual({ ...JSON.parse(withIds(golden, id, created)), ...repeated });
  }
  expect(seen.read).toMatchObject({ inference_log_id: id, id: (json.id ?? json.responseId) as string });
}

/** A stream: the bytes of the fixture with our field, or its translation, event by event. */
export function expectStream(
  client: ConversationId,
  spoken: ConversationId,
  answer: string,
  seen: SeenAnswer,
  asked: JsonObject,
): void {
  const { id, text } = seen;
  const frames = text.split('\n\n').filter((frame) => frame !== '');
  const marked = frames.filter((frame) => frame.includes(id) && frame.includes('"inference_log_id"'));
  expect(marked).toEqual(DIALECT_SAMPLES[client].markedFrames(frames));
  if (client === spoken) {
    // Not one other byte is changed.
    const fixture = fixtureText(`${folderOf(spoken)}/${answer}.sse`);
    expect(text.replaceAll(`"inference_log_id":"${id}",`, '').trim()).toBe(fixture.trim());
    return;
  }
  const golden = fixtureText(
    `translated/${folderOf(client)}-to-${folderOf(spoken)}/${answer}.sse.txt`,
  ).replaceAll(
    '"text":{"format":{"type":"text"}}',
    `"text":${JSON.stringify(asked.text ?? { format: { type: 'text' } })}`,
  );
  const created = /"created(?:_at)?":(\d+)/.exec(text)?.[1];
  const lines = frames.map((frame) => frame.replace(/^event: (.*)\ndata: /, '$1 ').replace(/^data: /, ''));
  expect(lines).toEqual(withIds(golden, id, Number(created)).trim().split('\n'));
}

/** An error of ours, in the shape of the client's API. */
export function expectError(client: ConversationId, body: JsonObject, code: string, id: string): void {
  if (client === 'gemini.generate') {
    const details = [expect.objectContaining({ reason: code, metadata: { inference_log_id: id } })];
    expect(body).toMatchObject({ error: { code: expect.any(Number), status: expect.any(String), details } });
    return;
  }
  if (client !== 'anthropic.messages') {
    expect(body).toMatchObject({ error: { code, type: expect.any(String), param: null } });
    return;
  }
  const message = expect.stringMatching(`^${code}: `);
  expect(body).toEqual({ type: 'error', error: { type: expect.any(String), message }, request_id: id });
}
