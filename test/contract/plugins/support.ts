import type { Message } from '../../../src/core/message.js';
import type { HostContext } from '../../../src/plugins/host/host.js';

export function contextOf(more: Partial<HostContext> = {}): HostContext {
  const signal = new AbortController().signal;
  return { requestId: 'log-1', endpoint: 'support', metadata: {}, headers: {}, signal, ...more };
}

export function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}
