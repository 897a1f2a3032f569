import { v7 } from 'uuid';
import type { LogRecord } from '../../src/core/log-record.js';

/** The log of a successful chat, with the changes that a test needs. Its id contains its time. */
export function logRecord(changes: Partial<LogRecord> = {}): LogRecord {
  const created_at = changes.created_at ?? new Date();
  return {
    _id: v7({ msecs: created_at.getTime() }),
    project_uid: '00000000-0000-4000-8000-000000000001',
    created_at,
    endpoint: 'support',
    api: 'openai.chat',
    status: 'success',
    http_status: 200,
    client_request_id: null,
    request: { model: 'support', messages: [{ role: 'user', content: 'Where is my parcel?' }] },
    response: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'large',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'On its way.' } }],
    },
    metadata: {},
    tags: [],
    quality_rating: null,
    attempts: [
      {
        provider: 'local',
        model: 'large',
        status: 'success',
        http_status: 200,
        error: null,
        duration_ms: 12,
        usage: { input_tokens: 5, output_tokens: 4 },
      },
    ],
    plugin_runs: [],
    model: 'local/large',
    usage: { input_tokens: 5, output_tokens: 4 },
    cost: null,
    timing: { total_ms: 15, time_to_first_token_ms: null, engine_ms: 1 },
    trace_id: null,
    error: null,
    stream: false,
    feedback_count: 0,
    score: null,
    ...changes,
  };
}
