import { describe, expect, it } from 'vitest';
import { AnswerStream } from './answer-stream.ts';

const CHAT =
  'data: {"choices":[{"delta":{"role":"assistant","content":"Hé"}}]}\n\ndata: {"choices":[{"delta":{"content":"llo"}}]}\n\ndata: [DONE]\n\n';
const RESPONSES =
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"Héllo"}\n\n';
const MESSAGES =
  'event: content_block_delta\r\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"Héllo"}}\r\n\r\n';

describe('the text of a stream', () => {
  it.each([
    ['Chat Completions', CHAT],
    ['Responses', RESPONSES],
    ['Messages', MESSAGES],
  ])('is read from %s, wherever it is cut', (_, text) => {
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const stream = new AnswerStream();
      stream.add(bytes.slice(0, cut));
      stream.add(bytes.slice(cut));
      expect(stream.text).toBe('Héllo');
    }
  });

  it('tells an error in it', () => {
    const stream = new AnswerStream();
    stream.add(new TextEncoder().encode('data: {"error":{"message":"gone"}}\n\n'));
    expect(stream.error).toBe('gone');
  });
});
