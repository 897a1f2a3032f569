import { expect, it } from 'vitest';
import type { Message, Part } from '../../core/message.js';
import { atOnce } from '../../core/pacing/steps.js';
import { writeContents } from './from-neutral.js';

const image: Part = {
  type: 'image',
  source: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
};
const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };

function partsOf(...parts: Part[]): unknown {
  const messages: Message[] = [
    { role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 'look', arguments: '{}' }] },
    { role: 'tool', parts: [{ type: 'tool-result', callId: 'c', parts }] },
  ];
  return (atOnce(writeContents(messages))[1] as { parts: unknown[] }).parts;
}

it("has a tool's picture follow its result", () => {
  expect(partsOf({ type: 'text', text: 'a picture' }, image)).toEqual([
    { functionResponse: { id: 'c', name: 'look', response: { output: 'a picture' } } },
    { inlineData },
  ]);
});

it('says so in a result that is a picture alone', () => {
  expect(partsOf(image)).toEqual([
    { functionResponse: { id: 'c', name: 'look', response: { output: 'The result follows.' } } },
    { inlineData },
  ]);
});

it('says nothing in an empty result', () => {
  expect(partsOf()).toEqual([{ functionResponse: { id: 'c', name: 'look', response: { output: '' } } }]);
});
