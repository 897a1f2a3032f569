import type { Choice } from '../../core/answer.js';
import { DIALECT_IDS } from '../../core/dialect-ids.js';
import type { LogRecord } from '../../core/log-record.js';
import type { Message } from '../../core/message.js';

/*
 * Inputs with which every plugin is tested, besides its author's samples.
 */

export function asked(text: string): Message[] {
  return [
    { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
    { role: 'user', parts: [{ type: 'text', text }] },
  ];
}

export function answered(text: string): Choice[] {
  return [{ index: 0, parts: [{ type: 'text', text }], finishReason: 'stop' }];
}

/** Messages of all forms. A plugin must handle each of them. */
export const ODD_MESSAGES: Record<string, Message[]> = {
  'no message': [],
  'an empty text': asked(''),
  'a message without parts': [{ role: 'user', parts: [] }],
  'a character of two units at the edges': asked('🙂 and 🙂'),
  'half a character': asked('\ud83d'),
  'parts of all kinds': [
    {
      role: 'user',
      name: 'Ann',
      parts: [
        { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
        { type: 'document', source: { kind: 'text', text: 'a document' }, title: 'a title' },
        { type: 'document', source: { kind: 'file', id: 'file-1' } },
        { type: 'other', value: { type: 'hologram' } },
      ],
    },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'a thought', signature: 'proof' },
        { type: 'refusal', text: 'no' },
        { type: 'tool-call', id: 'call-1', name: 'find', arguments: '{"a":' },
      ],
    },
    {
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'call-1', parts: [{ type: 'text', text: 'found' }] }],
    },
  ],
  'a hundred turns': Array.from({ length: 100 }, (_, index) => asked(`turn ${index}`)).flat(),
};

/** A log of each kind of API. */
export function logOf(text: string): LogRecord {
  const api = DIALECT_IDS[0]!;
  return {
    _id: '0197fd0e-0000-7000-8000-000000000001',
    project_uid: '00000000-0000-4000-8000-000000000001',
    created_at: new Date(0),
    endpoint: 'support',
    api,
    status: 'success',
    http_status: 200,
    client_request_id: null,
    request: { model: 'support', messages: [{ role: 'user', content: text }] },
    response: {
      id: 'answer-1',
      choices: [{ index: 0, message: { role: 'assistant', content: text } }],
    },
    metadata: {},
    tags: [],
    quality_rating: null,
    attempts: [],
    plugin_runs: [],
    model: 'local/model',
    usage: null,
    cost: null,
    timing: { total_ms: 1, time_to_first_token_ms: null, engine_ms: 1 },
    trace_id: null,
    error: null,
    stream: false,
    feedback_count: 0,
    score: null,
  };
}

/** What remains of a log whose content may not be stored. */
export function emptyLog(): LogRecord {
  return { ...logOf(''), request: null, response: null, status: 'error', model: null };
}
