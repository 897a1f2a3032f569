import { createServer, type Server } from 'node:net';
import { Connection, type ConnectionOptions } from './connection.js';

export interface GrpcServerOptions extends ConnectionOptions {
  socketPath: string;
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
      // The connection was accepted while the server was closing.
      if (this.#draining) connection.drain();
    });
    this.#closed = new Promise((resolve) => {
      this.#server.once('close', resolve);
    });
  }

  /** Accepts no new calls. Resolves once the running ones have ended. */
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
