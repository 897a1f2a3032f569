import type { ServerReadableStream, sendUnaryData } from '@grpc/grpc-js';
import { EXCHANGE_NAMESPACE, JOIN_KEY } from '../envoy/names.js';
import type { Exchanges } from './exchanges.js';
import type { AccessLogMessage } from './protocol.js';

/**
 * Takes Envoy's access log, which lists the tries that found no connection, and the requests that a provider broke
 * off. Each of Envoy's threads has one stream.
 */
export class AccessLog {
  readonly #open = new Set<() => void>();

  constructor(private readonly exchanges: Exchanges) {}

  serve(
    call: ServerReadableStream<AccessLogMessage, Record<string, never>>,
    answer: sendUnaryData<Record<string, never>>,
  ): void {
    const end = () => {
      if (this.#open.delete(end)) answer(null, {});
    };
    this.#open.add(end);
    call.on('data', (message: AccessLogMessage) => this.#take(message));
    call.on('end', end);
    call.on('cancelled', end);
    call.on('error', end);
  }

  /** Envoy keeps its streams for as long as it runs, so a drain must not wait for them. */
  close(): void {
    for (const end of [...this.#open]) end();
  }

  #take(message: AccessLogMessage): void {
    for (const entry of message.httpLogs?.logEntry ?? []) {
      const { metadata, responseFlags } = entry.commonProperties ?? {};
      if (responseFlags?.upstreamConnectionFailure) {
        this.exchanges.noteUnconnected(entry.request?.requestId ?? '');
        continue;
      }
      const key = metadata?.filterMetadata?.[EXCHANGE_NAMESPACE]?.fields?.[JOIN_KEY]?.stringValue;
      if (key !== undefined) this.exchanges.noteBrokenOff(key);
    }
  }
}
