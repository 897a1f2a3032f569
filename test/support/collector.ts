import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acceptsConnections, reservePort } from '../../src/local/ports.js';
import { Child, plainEnvironment } from '../../src/local/processes/child.js';
import { startPart } from '../../src/local/processes/part.js';
import { waitFor } from '../../src/local/processes/wait.js';

/** OpenTelemetry's own collector, with a receiver for OTLP and the exporter `debug`. */
export interface Collector {
  httpUrl: string;
  grpcUrl: string;
  /** Everything that the collector received so far, as its exporter prints it. */
  received(): Promise<string>;
  /** The spans that the collector received so far. */
  spans(): Promise<CollectedSpan[]>;
  stop(): Promise<void>;
}

/** A span as the exporter `debug` prints it. */
export interface CollectedSpan {
  service: string;
  traceId: string;
  spanId: string;
  /** The id of the parent span; empty where it has none. */
  parentId: string;
  name: string;
  /** The kind of span: `Server`, `Client` or `Internal`. */
  kind: string;
  startedAt: number;
  endedAt: number;
  /** The attributes, with values as text. */
  attributes: Record<string, string>;
  links: { traceId: string; spanId: string }[];
}

function readSpans(text: string): CollectedSpan[] {
  return text.split(/Resource(?:Spans|Metrics) #\d+$/m).flatMap((resource) => {
    const service = /-> service\.name: Str\((.*)\)/.exec(resource)?.[1] ?? '';
    return resource
      .split(/^Span #\d+$/m)
      .slice(1)
      .map((span) => readSpan(service, span));
  });
}

function readSpan(service: string, text: string): CollectedSpan {
  const field = (name: string) => new RegExp(`^    ${name} *: ?(.*)$`, 'm').exec(text)?.[1] ?? '';
  const moment = (name: string) => Date.parse(field(name).replace(/^(\S+) (\S+) .*$/, '$1T$2Z'));
  const [own = '', ...linked] = text.split(/^SpanLink #\d+$/m);
  return {
    service,
    traceId: field('Trace ID'),
    spanId: field('ID'),
    parentId: field('Parent ID'),
    name: field('Name'),
    kind: field('Kind'),
    startedAt: moment('Start time'),
    endedAt: moment('End time'),
    attributes: Object.fromEntries(
      [...own.matchAll(/^ {5}-> ([^:]+): \w+\((.*)\)$/gm)].map(([, name = '', value = '']) => [name, value]),
    ),
    links: linked.map((link) => ({
      traceId: /Trace ID: (\w+)/.exec(link)?.[1] ?? '',
      spanId: /-> ID: (\w+)/.exec(link)?.[1] ?? '',
    })),
  };
}

export async function startCollector(binary: string, folder: string): Promise<Collector> {
  const [http, grpc] = [await reservePort(), await reservePort()];
  const configPath = join(folder, 'collector.json');
  const logPath = join(folder, 'collector.log');
  await writeFile(configPath, JSON.stringify(configFor(http.port, grpc.port)));
  const child = await startPart({
    name: 'collector',
    note: '',
    stopPatienceMs: 10_000,
    spawn: () =>
      Child.start({
        name: 'collector',
        command: binary,
        arguments: ['--config', `file:${configPath}`],
        environment: plainEnvironment(process.env),
        logPath,
        ownGroup: false,
      }),
    ready: async (signal) => {
      const patience = { timeoutMs: 30_000, signal };
      await waitFor('the collector accepts connections', () => acceptsConnections(http.port), patience);
    },
  });
  return {
    httpUrl: `http://127.0.0.1:${http.port}`,
    grpcUrl: `http://127.0.0.1:${grpc.port}`,
    received: () => readFile(logPath, 'utf8'),
    spans: async () => readSpans(await readFile(logPath, 'utf8')),
    stop: async () => {
      await child.stop(10_000);
      await http.release();
      await grpc.release();
    },
  };
}

function configFor(httpPort: number, grpcPort: number): object {
  const pipeline = { receivers: ['otlp'], exporters: ['debug'] };
  const [http, grpc] = [httpPort, grpcPort].map((port) => ({ endpoint: `127.0.0.1:${port}` }));
  return {
    receivers: { otlp: { protocols: { http, grpc } } },
    exporters: { debug: { verbosity: 'detailed' } },
    service: {
      pipelines: { traces: pipeline, metrics: pipeline },
      telemetry: { metrics: { level: 'none' } },
    },
  };
}
