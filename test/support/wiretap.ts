import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between clients and the gateway that changes nothing, and keeps what clients received. */
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

  /** Everything that clients have received so far. */
  get answers(): string {
    return Buffer.concat(this.#toClients).toString('utf8');
  }

  /** Forgets what was received so far. */
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
