import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { SESSION_MARKS } from '../../core/settings.js';
import { conversationStart } from '../../dialects/conversation-start.js';
import { stickyValue } from './sticky-value.js';

const facts = {
  metadata: { session_id: 's1', number: 7, list: [1], nothing: null },
  headers: { 'x-session-id': 'h1', session_id: 'codex' },
  conversationStart: () => 'Where is my parcel?',
};

describe('the value that a request sticks to', () => {
  it('is the first one of the list that the request has', () => {
    const by = (...marks: string[]) => stickyValue({ by: marks }, facts);
    expect(by('metadata.session_id', 'header.x-session-id')).toEqual({
      by: 'metadata.session_id',
      value: 's1',
    });
    expect(by('metadata.missing', 'header.X-Session-Id')).toEqual({ by: 'header.X-Session-Id', value: 'h1' });
    expect(by('metadata.nothing', 'metadata.number')?.value).toBe('7');
    expect(by('metadata.list')?.value).toBe('[1]');
    expect(by('metadata.missing', 'metadata.toString')).toBeUndefined();
    expect(by('header.missing', 'conversation')?.value).toBe('Where is my parcel?');
  });

  it('is by default the session of a coding agent, or else the beginning of the conversation', () => {
    const of = (headers: Record<string, string>) =>
      stickyValue({ by: [...SESSION_MARKS] }, { ...facts, headers })?.by;
    expect(of({ 'x-claude-code-session-id': 'a' })).toBe('header.x-claude-code-session-id');
    expect(of({ session_id: 'a' })).toBe('header.session_id');
    expect(of({ 'x-opencode-session': 'a' })).toBe('header.x-opencode-session');
    expect(of({ 'x-session-affinity': 'a' })).toBe('header.x-session-affinity');
    expect(of({})).toBe('conversation');
  });

  it('is limited in length', () => {
    const long = { ...facts, metadata: { session_id: 'x'.repeat(10_000) } };
    expect(stickyValue({ by: ['metadata.session_id'] }, long)?.value).toHaveLength(1_024);
  });
});

describe('the beginning of a conversation', () => {
  const first = { role: 'user', content: [{ type: 'text', text: 'Fix the test.' }] };

  it.each([
    {
      messages: [
        { role: 'system', content: 'It is 10:31.' },
        { role: 'user', content: 'Fix the test.' },
      ],
    },
    { system: 'It is 10:32.', messages: [first] },
    { messages: [{ ...first, content: [{ ...first.content[0]!, cache_control: { type: 'ephemeral' } }] }] },
    {
      messages: [first, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Now the next.' }],
    },
    {
      instructions: 'now',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Fix the test.' }] }],
    },
    { input: 'Fix the test.' },
    {
      contents: [
        { role: 'user', parts: [{ text: 'Fix the test.' }] },
        { role: 'model', parts: [] },
      ],
    },
  ])('is the first text of its user, whatever is around it (%j)', (request) => {
    expect(conversationStart(request as unknown as JsonObject)).toBe('Fix the test.');
  });

  it('does not exist without a text', () => {
    expect(conversationStart({ messages: [] })).toBeUndefined();
    expect(
      conversationStart({ messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }),
    ).toBeUndefined();
    expect(conversationStart({})).toBeUndefined();
  });
});
