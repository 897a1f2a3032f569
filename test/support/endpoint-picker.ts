import * as grpc from '@grpc/grpc-js';
import { loadExternalProcessor } from './ext-proc.js';

/** The header, and the key of dynamic metadata, by which a picker names its choice. */
export const DESTINATION = 'x-gateway-destination-endpoint';

export interface Pick {
  /** The `ip:port` of the chosen pod. Without it the picker refuses with `status`. */
  endpoint?: string;
  status?: number;
}

type Message = Record<string, ReturnType<typeof JSON.parse>>;

/**
 * An endpoint picker as the Gateway API Inference Extension defines it (its proposal 4, v1.0.0): an ext_proc service in full
 * duplex that reads a whole request and names the pod that is to serve it, by a header and in dynamic metadata.
 */
export class EndpointPicker {
  /** The request bodies that the picker saw. */
  readonly seen: string[] = [];
  /** The number of bytes of answers that passed through the picker. */
  answered = 0;
  choose: () => Pick = () => ({ status: 503 });
  readonly #server = new grpc.Server();

  static async start(): Promise<EndpointPicker> {
    const picker = new EndpointPicker();
    const { Process } = loadExternalProcessor();
    picker.#server.addService({ Process } as unknown as grpc.ServiceDefinition, {
      Process: (call: grpc.ServerDuplexStream<Message, Message>) => picker.#serve(call),
    });
    await new Promise<void>((resolve, reject) => {
      const credentials = grpc.ServerCredentials.createInsecure();
      picker.#server.bindAsync('127.0.0.1:0', credentials, (error, port) => {
        picker.port = port;
        if (error === null) resolve();
        else reject(error);
      });
    });
    return picker;
  }

  port = 0;

  stop(): void {
    this.#server.forceShutdown();
  }

  #serve(call: grpc.ServerDuplexStream<Message, Message>): void {
    const body: Buffer[] = [];
    call.on('data', (message: Message) => {
      if (message.requestBody !== undefined) {
        body.push(message.requestBody.body ?? Buffer.alloc(0));
        if (message.requestBody.endOfStream === true) this.#pick(call, Buffer.concat(body));
      } else if (message.responseHeaders !== undefined) {
        call.write({ responseHeaders: { response: {} } });
      } else if (message.responseBody !== undefined) {
        const { body = Buffer.alloc(0), endOfStream = false } = message.responseBody;
        this.answered += body.length;
        call.write({
          responseBody: { response: { bodyMutation: { streamedResponse: { body, endOfStream } } } },
        });
      } else if (message.responseTrailers !== undefined) {
        call.write({ responseTrailers: {} });
      }
    });
    call.on('end', () => call.end());
    // A call breaks when its Envoy is ended, which is not an error here.
    call.on('error', () => {});
  }

  /** Answers the headers after the whole body was read. */
  #pick(call: grpc.ServerDuplexStream<Message, Message>, body: Buffer): void {
    this.seen.push(body.toString());
    const { endpoint, status } = this.choose();
    if (endpoint === undefined) {
      call.write({ immediateResponse: { status: { code: status }, body: Buffer.from('no endpoint') } });
      return;
    }
    const header = { key: DESTINATION, rawValue: Buffer.from(endpoint) };
    const fields = { [DESTINATION]: { stringValue: endpoint } };
    call.write({
      requestHeaders: {
        response: { headerMutation: { setHeaders: [{ header }] }, clearRouteCache: false },
      },
      dynamicMetadata: { fields: { 'envoy.lb': { structValue: { fields } } } },
    });
    call.write({
      requestBody: { response: { bodyMutation: { streamedResponse: { body, endOfStream: true } } } },
    });
  }
}
