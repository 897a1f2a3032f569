import { describe, expect, it } from 'vitest';
import type { Message } from '../../core/message.js';
import { inputMessages, outputMessages, systemInstructions, toolDefinitions } from './content.js';

const MESSAGES: Message[] = [
  { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
  { role: 'developer', parts: [{ type: 'text', text: 'No jokes.' }] },
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
      { type: 'image', source: { kind: 'url', url: 'data:image/png;base64,AAAA' } },
      { type: 'image', source: { kind: 'url', url: ' DATA:image/png;base64,AAAA' } },
      { type: 'document', source: { kind: 'url', url: 'https://example.com/a.pdf' } },
    ],
  },
  { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', name: 'look', arguments: '{"at":"cat"}' }] },
  { role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', parts: [{ type: 'text', text: 'a cat' }] }] },
];

describe('messages on spans', () => {
  it('have the form of the GenAI conventions, without instructions and without bytes', () => {
    expect(JSON.parse(inputMessages(MESSAGES))).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', content: 'What is this?' },
          { type: 'blob', modality: 'image', mime_type: 'image/png' },
          { type: 'uri', modality: 'image', uri: 'data:' },
          { type: 'uri', modality: 'image', uri: 'data:' },
          { type: 'uri', modality: 'document', uri: 'https://example.com/a.pdf' },
        ],
      },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 'cat' } }] },
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: 'c1', response: [{ type: 'text', content: 'a cat' }] }],
      },
    ]);
  });

  it('have their system instructions separately', () => {
    expect(JSON.parse(systemInstructions(MESSAGES))).toEqual([
      { type: 'text', content: 'Be brief.' },
      { type: 'text', content: 'No jokes.' },
    ]);
  });

  it('have one answer for each choice, with the reason for its end', () => {
    const choices = [
      {
        index: 0,
        finishReason: 'tool-calls' as const,
        parts: [{ type: 'tool-call' as const, id: 'c', name: 'look', arguments: '{broken' }],
      },
    ];
    expect(JSON.parse(outputMessages(choices))).toEqual([
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c', name: 'look', arguments: '{broken' }],
        finish_reason: 'tool_call',
      },
    ]);
  });

  it('have the tools in a separate attribute', () => {
    expect(
      JSON.parse(toolDefinitions([{ name: 'look', parameters: { type: 'object' }, strict: true }])),
    ).toEqual([{ type: 'function', name: 'look', parameters: { type: 'object' } }]);
  });
});
