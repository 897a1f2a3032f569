import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../src/core/dialect-ids.js';
import type { JsonValue } from '../../src/core/json.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import { textsOf } from '../../src/core/texts/part-texts.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { dialectById, dialects } from '../../src/dialects/index.js';
import { type Path, spliceValues, stringEdit } from '../../src/dialects/wire/splice.js';
import { objectsOf, withMember } from '../fuzz/planted.js';
import { RICH_REQUESTS } from '../support/rich-requests.js';
import { documentOf, fixturesOf } from './dialects-support.js';

/*
 * Guards see every string of a request, wherever it stands, but those that are named here.
 */

const CARD = '4111 1111 1111 1111';
const DIGITS = '4111111111111111';

/** Where nothing is shown, whatever stands there. */
const NEVER = [
  /^metadata\b(?!\.user_id$)/,
  /^logit_bias\b/,
  /\.logprobs\b/,
  /^mcp_servers\.authorization_token$/,
];
const CREDENTIALS = [/^tools\.(headers\b|authorization$)/];

/** Ids are not shown where they look like ids; those of users may be addresses. */
const IDS =
  /(^|\.)(id|user|model|\w+_ids?|container|conversation|safety_identifier|prompt_cache_key|data|signature|thoughtSignature|cachedContent|encrypted_\w+)$/;

/** Where addresses of files stand; those of servers, and of what a search found, are text as they are written. */
function isMedia(place: string): boolean {
  return /(url|fileUri)$/.test(place) && !/^(tools|mcp_servers|messages\.content\.content)\./.test(place);
}

function stringPlaces(value: JsonValue, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([step, inside]) => stringPlaces(inside, [...path, step]));
}

/** `messages.content.text`: a place without its positions. */
function named(path: Path): string {
  return path.filter((step) => typeof step === 'string').join('.');
}

/** Places where a string is not among the texts that guards see. */
function unseen(dialect: Dialect, text: string, planted: string, wanted = planted): string[] {
  return stringPlaces(JSON.parse(text)).flatMap((path) => {
    const document = documentOf(spliceValues(text, [stringEdit(path, planted)]));
    const texts = textsOf(atOnce(dialect.readMessages(document)).flatMap(({ parts }) => parts));
    return texts.some((seen) => seen.includes(wanted)) ? [] : [named(path)];
  });
}

function requestsOf(dialect: Dialect): [string, string][] {
  const fixtures = fixturesOf(dialect, 'request.json').map(({ name, text }): [string, string] => [
    name,
    text,
  ]);
  return [...fixtures, ['all kinds of members', JSON.stringify(RICH_REQUESTS[dialect.id as ConversationId])]];
}

const CASES = dialects.flatMap((dialect) =>
  requestsOf(dialect).map(([name, text]) => ({ dialect: dialect.id, name, text })),
);

describe.each(CASES)('guards of $dialect ($name)', ({ dialect: dialectId, text }) => {
  const dialect = dialectById(dialectId);
  const isListed = (place: string) =>
    NEVER.some((pattern) => pattern.test(place)) ||
    (dialectId === 'openai.responses' && CREDENTIALS.some((pattern) => pattern.test(place)));

  it.each([CARD, `data:${CARD}`, `${'A'.repeat(400)} ${CARD}`])('see %j in every string', (planted) => {
    expect(unseen(dialect, text, planted).filter((place) => !isListed(place))).toEqual([]);
  });

  it('see the name of a further member in every object, and can change it', () => {
    for (const place of objectsOf(JSON.parse(text))) {
      if (isListed(place.name)) continue;
      const document = documentOf(withMember(text, place, CARD));
      const masked = JSON.parse(
        JSON.stringify(atOnce(dialect.readMessages(document)), (key, value) =>
          (key === 'text' || key === 'arguments') && typeof value === 'string'
            ? value.replaceAll(CARD, '<CARD>')
            : value,
        ),
      );
      const changed = atOnce(dialect.writeMessages(document, masked)).text;
      expect(JSON.parse(changed), place.name).toEqual(JSON.parse(document.text.replaceAll(CARD, '<CARD>')));
    }
  });

  it('see an e-mail address in every string that is no id, and in those of users', () => {
    const left = unseen(dialect, text, 'anna@mail.example').filter((place) => !isListed(place));
    expect(
      left.filter((place) => !IDS.test(place) || /^(user|safety_identifier|metadata\.user_id)$/.test(place)),
    ).toEqual([]);
  });

  it('see what a person wrote into the URL of a picture or a file', () => {
    const planted = 'https://x.example/a.png?w=1&of=anna%40mail.example';
    const left = unseen(dialect, text, planted, 'anna@mail.example').filter((place) => !isListed(place));
    expect(left.filter(isMedia)).toEqual([]);
  });

  it('can change it there, and the rest of the URL stays', () => {
    for (const path of stringPlaces(JSON.parse(text)).filter((path) => isMedia(named(path)))) {
      const planted = 'https://x.example/a.png?w=1&of=anna%40mail.example';
      const document = documentOf(spliceValues(text, [stringEdit(path, planted)]));
      const messages = JSON.parse(
        JSON.stringify(atOnce(dialect.readMessages(document))).replaceAll('anna@mail.example', 'A'),
      );
      const changed = atOnce(dialect.writeMessages(document, messages)).text;
      const masked = [planted.replace('anna%40mail.example', 'A'), 'https://x.example/a.png?w=1&of=A'];
      expect(masked.map((address) => spliceValues(text, [stringEdit(path, address)]))).toContain(changed);
    }
  });

  it('see bare digits in every string that is no id', () => {
    const left = unseen(dialect, text, DIGITS).filter((place) => !isListed(place) && !IDS.test(place));
    expect(left).toEqual([]);
  });

  it('see a text that looks like base64 in every string that holds no data', () => {
    const planted = `${'QUJD'.repeat(100)}${DIGITS}`;
    const media = /(file_data|image_url|url|data|result|fileUri)$/;
    const left = unseen(dialect, text, planted).filter((place) => !isListed(place) && !IDS.test(place));
    expect(left.filter((place) => !media.test(place))).toEqual([]);
  });

  it('can change every string that they see', () => {
    for (const path of stringPlaces(JSON.parse(text))) {
      const document = documentOf(spliceValues(text, [stringEdit(path, CARD)]));
      const masked = JSON.parse(
        JSON.stringify(atOnce(dialect.readMessages(document)), (key, value) =>
          (key === 'text' || key === 'arguments') && typeof value === 'string'
            ? value.replaceAll(CARD, '<CARD>')
            : value,
        ),
      );
      if (isListed(named(path))) continue;
      const changed = atOnce(dialect.writeMessages(document, masked)).text;
      expect(JSON.parse(changed), named(path)).toEqual(JSON.parse(document.text.replaceAll(CARD, '<CARD>')));
    }
  });
});

describe('the names of members', () => {
  it.each(dialects.map(({ id }) => id))('are seen and can be changed where %s does not know them', (id) => {
    const dialect = dialectById(id);
    const value = {
      messages: [],
      input: [],
      unknown: { [CARD]: 'a' },
      tools: [{ parameters: { [CARD]: 1 } }],
    };
    const document = documentOf(JSON.stringify(value));
    const messages = atOnce(dialect.readMessages(document));
    expect(textsOf(messages.flatMap(({ parts }) => parts)).filter((text) => text === CARD)).toHaveLength(2);
    const masked = JSON.parse(JSON.stringify(messages).replaceAll(CARD, '<CARD>'));
    expect(atOnce(dialect.writeMessages(document, masked)).text).toBe(
      document.text.replaceAll(CARD, '<CARD>'),
    );
  });
});
