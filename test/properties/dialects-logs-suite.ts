import { expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/core/json.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import { mapPartTexts, textsOf } from '../../src/core/texts/part-texts.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { conversationOf, recordTexts, searchTexts } from '../../src/dialects/stored-texts.js';
import { conversationOf as trainingConversation } from '../../src/logs/export/conversation.js';
import { logRecord } from '../support/log-record.js';
import { documentOf, fixturesOf, spoken } from './dialects-support.js';

/** What every dialect of the list owes those who read its bodies in logs. */
export function describeInLogs(dialect: Dialect): void {
  const named = (kind: 'request.json' | 'response.json') =>
    fixturesOf(dialect, kind).map((one) => [one.name, one] as const);
  const bodies = (request: JsonValue, response: JsonValue) => ({ api: dialect.id, request, response });

  it.each(named('request.json'))('finds all that the request %s says, where it stands', (_name, { text }) => {
    const log = bodies(JSON.parse(text), null);
    const messages = spoken(atOnce(dialect.readMessages(documentOf(text))));
    const said = stringsOf(messages.flatMap(({ parts }) => textsOf(parts)));
    const found = recordTexts(log);
    expect(found.map((one) => one.text)).toEqual(expect.arrayContaining(said));
    expect([...searchTexts(log, 1_000_000)]).toEqual(expect.arrayContaining(said));
    for (const one of found) expect(valueAt(log, one.place)).toBe(one.text);
  });

  it.each(named('response.json'))('finds all that the answer %s says', (_name, { text }) => {
    const log = bodies(null, JSON.parse(text));
    const { choices } = atOnce(dialect.readAnswer(log.response)) ?? { choices: [] };
    const said = stringsOf(choices.flatMap(({ parts }) => textsOf(parts)));
    expect(recordTexts(log).map((one) => one.text)).toEqual(expect.arrayContaining(said));
    expect([...searchTexts(log, 1_000_000)]).toEqual(expect.arrayContaining(said));
  });

  it.each(named('request.json'))(
    'takes %s for another prompt where anything else is said',
    (_name, { text }) => {
      const document = documentOf(text);
      const prompt = conversationOf(dialect.id, document.value);
      expect(prompt).toBeDefined();
      expect(conversationOf(dialect.id, { ...document.value, temperature: 0.5 })).toEqual(prompt);
      const messages = atOnce(dialect.readMessages(document));
      for (const [index, message] of messages.entries()) {
        const parts = message.parts.map((part) =>
          // What is said beside the messages, such as a tool's description, is no part of the prompt.
          part.type === 'tool-result' && part.callId === '' ? part : mapPartTexts(part, otherwise, ''),
        );
        const written = atOnce(dialect.writeMessages(document, messages.with(index, { ...message, parts })));
        if (written === document) continue;
        expect(conversationOf(dialect.id, written.value)).not.toEqual(prompt);
      }
    },
  );

  it.each(['text', 'tool-call', 'tool-result'])('gives the conversation of %s for training', (name) => {
    const { text } = fixturesOf(dialect, 'request.json').find((one) => one.name === name)!;
    const { metadata: _metadata, ...request } = JSON.parse(text) as JsonObject;
    const conversation = atOnce(trainingConversation(logRecord({ api: dialect.id, request })));
    const roles = spoken(atOnce(dialect.readMessages(documentOf(text)))).map(({ role }) => role);
    expect(conversation?.messages.map(({ role }) => role)).toEqual(expect.arrayContaining(roles));
    expect(conversation?.tools !== undefined).toBe(request.tools !== undefined);
  });
}

function otherwise(text: string): string {
  return parseJson(text) === undefined ? `${text} and more` : '{"said":"otherwise"}';
}

/** Texts that are JSON, such as arguments, stand as values in some APIs: then their strings are what is said. */
function stringsOf(texts: readonly string[]): unknown[] {
  return texts
    .filter((text) => text !== '')
    .map((text) => {
      const value = parseJson(text);
      return isJsonObject(value) ? expect.stringContaining(firstString(value)) : text;
    });
}

function firstString(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  for (const inside of Object.values(value)) {
    const found = firstString(inside);
    if (found !== '') return found;
  }
  return '';
}

function valueAt(log: object, place: string): unknown {
  return place
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], log);
}
