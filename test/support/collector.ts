import { access, constants, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { acceptsConnections, reservePort } from '../../src/local/ports.js';
import { Child, plainEnvironment } from '../../src/local/processes/child.js';
import { startPart } from '../../src/local/processes/part.js';
import { waitFor } from '../../src/local/processes/wait.js';

/** OpenTelemetry's own collector, with a receiver for OTLP and the exporter `debug`. */
export interface Collector {
  httpUrl: string;
  grpcUrl: string;
  /** All that it was sent so far, as its exporter prints it. */
  received(): Promise<string>;
  stop(): Promise<void>;
}

/** `OTELCOL_BIN`, or `otelcol` on the PATH; undefined where there is neither, since it has to be built. */
export async function findCollector(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const onPath = (environment.PATH ?? '').split(delimiter).map((folder) => join(folder, 'otelcol'));
  for (const candidate of environment.OTELCOL_BIN ? [environment.OTELCOL_BIN] : onPath) {
    const usable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return candidate;
  }
  return undefined;
}

export async function startCollector(binary: string, directory: string): Promise<Collector> {
  const [http, grpc] = [await reservePort(), await reservePort()];
  const configPath = join(directory, 'collector.json');
  const logPath = join(directory, 'collector.log');
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
