import { createServer, type Server } from 'node:net';
import type { Service } from './call.js';
import { Connection } from './connection.js';

export interface GrpcServerOptions {
  socketPath: string;
  /** By the method's path, such as `/package.Service/Method`. */
  services: ReadonlyMap<string, Service>;
  /** A longer message fails its call. */
  maxMessageBytes: () => number;
  /** A service threw; its call failed. */
  onError: (error: unknown) => void;
}

/** A gRPC server on a Unix socket, for one proxy that is trusted. */
export class GrpcServer {
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  readonly #closed: Promise<void>;
  #draining = false;

  static async listen(options: GrpcServerOptions): Promise<GrpcServer> {
    const server = new GrpcServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(options.socketPath, () => resolve());
    });
    return server;
  }

  private constructor(options: GrpcServerOptions) {
    this.#server = createServer({ noDelay: true }, (socket) => {
      const connection = new Connection(socket, options);
      this.#connections.add(connection);
      socket.once('close', () => this.#connections.delete(connection));
      // One that was accepted while the listener closed.
      if (this.#draining) connection.drain();
    });
    this.#closed = new Promise((resolve) => {
      this.#server.once('close', resolve);
    });
  }

  /** Takes no new calls. Resolves once those under way have ended. */
  drain(): Promise<void> {
    this.#draining = true;
    this.#server.close();
    for (const connection of this.#connections) connection.drain();
    return this.#closed;
  }

  /** Ends all calls at once. */
  destroy(): void {
    this.#server.close();
    for (const connection of this.#connections) connection.destroy();
  }
}
