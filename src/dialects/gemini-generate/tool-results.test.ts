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

it('puts the picture of a tool after its result', () => {
  expect(partsOf({ type: 'text', text: 'a picture' }, image)).toEqual([
    { functionResponse: { id: 'c', name: 'look', response: { output: 'a picture' } } },
    { inlineData },
  ]);
});

it('mentions the picture in a result that is a picture alone', () => {
  expect(partsOf(image)).toEqual([
    { functionResponse: { id: 'c', name: 'look', response: { output: 'The result follows.' } } },
    { inlineData },
  ]);
});

it('leaves an empty result empty', () => {
  expect(partsOf()).toEqual([{ functionResponse: { id: 'c', name: 'look', response: { output: '' } } }]);
});
