import type { Http2Server } from 'node:http2';
import * as grpc from '@grpc/grpc-js';
import type { Service } from '../grpc/call.js';
import { CONNECTION_WINDOW } from '../grpc/connection.js';
import { GrpcJsCall } from './call.js';
import { type CertificateFiles, Certificates } from './certificates.js';

/** The most streams of one connection. An Envoy that needs more opens another connection. */
const MOST_STREAMS = 10_000;
/**
 * nghttp2's own memory limit for one connection, in bytes. A connection that reaches it is closed with all its streams.
 */
const SESSION_MEMORY_BYTES = 1 << 30;

export interface TcpServerOptions {
  /** The IP address to listen on. */
  host: string;
  /** The port to listen on; 0 means any free port. */
  port: number;
  /** Certificates for TLS; undefined where connections are not encrypted. */
  tls?: CertificateFiles;
  /** Services by the path of the method, such as `/package.Service/Method`. */
  services: ReadonlyMap<string, Service>;
  /** A longer message fails its call. The value is read when the server starts. */
  maxMessageBytes: number;
  /** After this long without data from a peer, it is asked whether it is alive. It has the same time to answer. */
  keepaliveMs: number;
  /** Called when a service threw an error. The call has then failed. */
  onError: (error: unknown) => void;
  onCertificates: (event: { refused: string } | 'changed') => void;
  /** How often the files of `tls` are checked; by default every few seconds. */
  certificatesLookMs?: number;
}

/** A gRPC server on a TCP port. With `clientCa`, peers must show a certificate. */
export class TcpServer {
  readonly #certificates?: Certificates;

  static async listen(options: TcpServerOptions): Promise<TcpServer> {
    const { host, port, tls, onCertificates } = options;
    const certificates =
      tls === undefined ? undefined : new Certificates(tls, onCertificates, options.certificatesLookMs);
    const server = createServer(options);
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    try {
      const bound = await new Promise<number>((resolve, reject) => {
        server.bindAsync(address, credentialsOf(certificates, tls), (error, bound) =>
          error === null ? resolve(bound) : reject(error),
        );
      });
      widenConnections(server);
      return new TcpServer(server, bound, certificates);
    } catch (error) {
      certificates?.close();
      throw error;
    }
  }

  private constructor(
    private readonly server: grpc.Server,
    readonly port: number,
    certificates: Certificates | undefined,
  ) {
    this.#certificates = certificates;
  }

  /** Refuses new calls. Resolves once the running ones have ended. */
  async drain(): Promise<void> {
    await new Promise<void>((resolve) => this.server.tryShutdown(() => resolve()));
    this.#certificates?.close();
  }

  /** Ends all calls at once. */
  destroy(): void {
    this.server.forceShutdown();
    this.#certificates?.close();
  }
}

function createServer({ services, maxMessageBytes, keepaliveMs, onError }: TcpServerOptions): grpc.Server {
  const server = new grpc.Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': MOST_STREAMS,
    'grpc.keepalive_time_ms': keepaliveMs,
    'grpc.keepalive_timeout_ms': keepaliveMs,
    'grpc-node.max_session_memory': SESSION_MEMORY_BYTES / (1 << 20),
  });
  for (const [path, service] of services) {
    server.register(
      path,
      (stream: grpc.ServerDuplexStream<Buffer, Buffer>) => {
        new GrpcJsCall(stream, onError).serve(service);
      },
      asItIs,
      asItIs,
      'bidi',
    );
  }
  return server;
}

/**
 * Gives each connection the same flow-control window as in our own server. The library has no option for it: by its option
 * `grpc-node.flow_control_window` only clients go. So this reads a private member, and a test notices where that is gone. What may
 * wait of one call is not changed by it.
 */
function widenConnections(server: grpc.Server): void {
  const { http2Servers } = server as unknown as { http2Servers: ReadonlyMap<Http2Server, unknown> };
  for (const http2Server of http2Servers.keys()) {
    http2Server.on('session', (session) => session.setLocalWindowSize(CONNECTION_WINDOW));
  }
}

/** Messages stay bytes, as in our own server. The library must not parse them. */
function asItIs(bytes: Buffer): Buffer {
  return bytes;
}

function credentialsOf(certificates: Certificates | undefined, tls: CertificateFiles | undefined) {
  if (certificates === undefined) return grpc.ServerCredentials.createInsecure();
  // The library accepts null for "no authority", although its types do not say so.
  const authority = (tls?.clientCa === undefined ? null : certificates) as Certificates;
  return grpc.experimental.createCertificateProviderServerCredentials(
    authority,
    certificates,
    authority !== null,
  );
}
