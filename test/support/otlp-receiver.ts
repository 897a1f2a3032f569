import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Value {
  stringValue?: string;
  intValue?: number;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: Value[] };
}

/** A span in OTLP's JSON. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Value }[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number; message?: string };
}

export type OtlpReceiver = Awaited<ReturnType<typeof startOtlpReceiver>>;

/** A receiver of OTLP/HTTP that keeps what exporters send as JSON. */
export async function startOtlpReceiver() {
  const spans: Span[] = [];
  const metrics: string[] = [];
  const services: unknown[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    // Envoy's spans come in the binary form and are ignored. Tests of those use the real collector.
    if (request.headers['content-type'] !== 'application/json') return response.end();
    const body = JSON.parse(Buffer.concat(pieces).toString());
    for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
      services.push(
        resource.attributes.find(({ key }: { key: string }) => key === 'service.name').value.stringValue,
      );
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    for (const { scopeMetrics } of body.resourceMetrics ?? []) {
      for (const scope of scopeMetrics)
        metrics.push(...scope.metrics.map(({ name }: { name: string }) => name));
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url, spans, metrics, services, stop };
}

export function attributesOf(span: Span): Record<string, unknown> {
  return Object.fromEntries(span.attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  return arrayValue?.values.map(plainValue) ?? stringValue ?? intValue ?? doubleValue ?? boolValue;
}
