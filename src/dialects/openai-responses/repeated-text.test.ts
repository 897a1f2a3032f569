import { describe, expect, it } from 'vitest';
import type { Answer } from '../../core/answer.js';
import { atOnce } from '../../core/pacing/steps.js';
import { eventsOf } from '../../pipeline/answer/replayed-events.js';
import { openaiResponses } from './index.js';

const ANSWER: Answer = {
  id: 'a',
  model: 'm',
  choices: [{ index: 0, parts: [{ type: 'text', text: '{}' }], finishReason: 'stop' }],
};
const text = { format: { type: 'json_schema', name: 'w', schema: { type: 'object' } } };
const request = { model: 'e', input: 'Hi', text };
const context = { logId: 'x', streamUsage: true, created: 1, model: 'm' };

describe('a response that came in another API', () => {
  it('repeats the text settings of the request, as the API itself does', () => {
    expect(JSON.parse(atOnce(openaiResponses.writeAnswer(ANSWER, { ...context, request }))).text).toEqual(
      text,
    );
  });

  it('repeats them in each event of a stream that has the response', () => {
    const encoder = openaiResponses.createEncoder({ ...context, request });
    const frames = eventsOf(ANSWER).flatMap((event) => encoder.encode(event));
    const responses = frames.map(({ data }) => JSON.parse(data).response).filter(Boolean);
    expect(responses.map((response) => response.text)).toEqual([text, text, text]);
  });

  it('has the default where nothing was asked for', () => {
    const written = JSON.parse(
      atOnce(openaiResponses.writeAnswer(ANSWER, { ...context, request: { text: null } })),
    );
    expect(written.text).toEqual({ format: { type: 'text' } });
  });
});
