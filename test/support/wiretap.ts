import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between clients and the gateway, changes no byte, and keeps what clients got. */
export class Wiretap {
  readonly #toClients: Buffer[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor(gatewayUrl: string) {
    const { hostname, port } = new URL(gatewayUrl);
    this.#server = createServer((client) => this.#join(client, connect(Number(port), hostname)));
  }

  static async open(gatewayUrl: string): Promise<Wiretap> {
    const tap = new Wiretap(gatewayUrl);
    await new Promise<void>((resolve) => tap.#server.listen(0, '127.0.0.1', resolve));
    return tap;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** All that clients got so far. */
  get answers(): string {
    return Buffer.concat(this.#toClients).toString('utf8');
  }

  /** Begins anew. */
  forget(): void {
    this.#toClients.length = 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, gateway: Socket): void {
    gateway.on('data', (chunk: Buffer) => this.#toClients.push(chunk));
    client.pipe(gateway).pipe(client);
    for (const [socket, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
