import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import { openaiEmbeddings } from './index.js';
import { openAnswer, withoutVectors } from './vectors.js';

const answer = (vectors: unknown[], more: JsonObject = {}) => ({
  object: 'list',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  model: 'm',
  usage: { prompt_tokens: 8, total_tokens: 8 },
  ...more,
});

describe('an answer with vectors', () => {
  it.each([
    ['numbers', [[0.1, -2e-7, 3]], 3],
    ['base64', [Buffer.from(new Float32Array(5).buffer).toString('base64')], 5],
    ['many', Array.from({ length: 100 }, () => [1, 2]), 2],
    ['none', [], null],
    [
      'several for one text',
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      2,
    ],
    ['something else', [{ int8: [1] }], null],
    ['a string with quotes', ['a"b]'], 0],
  ])('of %s is logged with their number and size', (_case, vectors, dimensions) => {
    const text = JSON.stringify(answer(vectors), null, 1);
    const value = openAnswer(text)?.value ?? (JSON.parse(text) as JsonObject);
    expect(withoutVectors(value)).toEqual({
      object: 'list',
      model: 'm',
      usage: { prompt_tokens: 8, total_tokens: 8 },
      vectors: { count: vectors.length, dimensions },
    });
  });

  it.each([
    ['numbers', [1, 2]],
    ['base64', 'AAAA'],
  ])('of %s is parsed with the first of them only', (_case, vector) => {
    const { data } = openAnswer(JSON.stringify(answer([vector, vector, vector]), null, 1))!.value;
    expect(data).toMatchObject([{ embedding: vector }, { embedding: null }, { embedding: null }]);
  });

  it('keeps each byte except for the log id at its front', () => {
    const text = `{ "object":"list","data":[{"embedding": [1.0, 2E+1 ]}],"x":"\\u00e9"}\n`;
    const adapted = atOnce(openaiEmbeddings.adaptAnswer(openAnswer(text)!, { logId: 'log-1' }));
    expect(adapted.text).toBe(`{"inference_log_id":"log-1",${text.slice(1)}`);
    const old = text.replace('{', '{"inference_log_id":"theirs",');
    const once = atOnce(openaiEmbeddings.adaptAnswer(openAnswer(old)!, { logId: 'log-1' }));
    expect(once.text.match(/inference_log_id/g)).toHaveLength(1);
    expect(JSON.parse(once.text)).toMatchObject({ inference_log_id: 'log-1' });
  });

  it('is parsed to the same value, without its later vectors', () => {
    const item = fc.record({ embedding: fc.oneof(fc.array(fc.float({ noNaN: true })), fc.base64String()) });
    const beside = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(item), beside, (data, more) => {
        const whole = JSON.parse(JSON.stringify({ ...more, data })) as JsonObject;
        const opened = openAnswer(JSON.stringify(whole))?.value ?? whole;
        const { data: items, ...rest } = opened as JsonObject & { data: JsonObject[] };
        const { data: all, ...expected } = whole as JsonObject & { data: JsonObject[] };
        const first = items.findIndex(({ embedding }) => embedding !== null);
        expect(items[first]).toEqual(all[first]);
        expect(items).toHaveLength(all.length);
        if (!JSON.stringify(more).includes('embedding')) expect(rest).toEqual(expected);
        expect(isJsonObject(opened)).toBe(true);
      }),
    );
  });
});
