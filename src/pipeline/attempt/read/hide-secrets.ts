import type { StreamEvent } from '../../../core/answer.js';
import type { JsonValue } from '../../../core/json.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import { hideSecrets } from './provider-secrets.js';

/** One frame and its decoded events. */
export interface DecodedFrame {
  frame: SseFrame;
  events: StreamEvent[];
}

/** The frame and events without credentials in the provider's error events. */
export function hideInError(decoded: DecodedFrame, secrets: readonly string[]): DecodedFrame {
  const { frame, events } = decoded;
  if (!events.some(({ type }) => type === 'error')) return decoded;
  const data = hideSecrets(frame.data, secrets);
  if (data === frame.data) return decoded;
  const hide = (event: StreamEvent): StreamEvent => {
    if (event.type !== 'error') return event;
    const value = JSON.parse(hideSecrets(JSON.stringify(event.value), secrets)) as JsonValue;
    return { ...event, message: hideSecrets(event.message, secrets), value };
  };
  return { frame: { ...frame, data }, events: events.map(hide) };
}
