import { expect, it } from 'vitest';
import type { JsonObject } from '../../../core/json.js';
import { atOnce } from '../../../core/pacing/steps.js';
import { dialectById } from '../../../dialects/index.js';
import { extraTexts } from './extra-texts.js';

it.each([
  {
    at: 'the last event of a Responses stream',
    dialect: 'openai.responses' as const,
    path: ['response', 'output', 0, 'content', 0, 'text'],
    frame: {
      type: 'response.completed',
      response: {
        instructions: 'said by the client',
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'said nowhere else' }] }],
      },
    },
  },
  {
    at: 'the first event of a Messages stream',
    dialect: 'anthropic.messages' as const,
    path: ['message', 'content', 0, 'text'],
    frame: {
      type: 'message_start',
      message: { id: 'msg_1', content: [{ type: 'text', text: 'said nowhere else' }] },
    },
  },
])('a text that is only in the whole answer of $at is found', ({ dialect, frame, path }) => {
  const found = atOnce(extraTexts(frame as unknown as JsonObject, dialectById(dialect)));
  const there = found.find(({ text }) => text === 'said nowhere else');
  expect(there?.edit('x').path).toEqual(path);
  expect(there?.growsAs).toBeUndefined();
  expect(found.map(({ text }) => text)).not.toContain('said by the client');
});
