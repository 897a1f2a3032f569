// The smallest possible ext_proc engine on grpc-js: it answers every message and reads none.
import { fileURLToPath } from 'node:url';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const EMPTY = Buffer.alloc(0);
const [socketPath] = process.argv.slice(2);
const server = new Server();
const definition = loadSync('envoy/service/ext_proc/v3/external_processor.proto', {
  includeDirs: [fileURLToPath(new URL('../../proto', import.meta.url))],
  longs: Number,
  enums: String,
  oneofs: true,
});
server.addService(definition['envoy.service.ext_proc.v3.ExternalProcessor'], {
  Process(call) {
    call.on('data', (message) => {
      const kind = message.request;
      if (kind === 'requestHeaders' || kind === 'responseHeaders') call.write({ [kind]: { response: {} } });
      else if (kind === 'requestBody' || kind === 'responseBody') {
        const { body = EMPTY, endOfStream = false } = message[kind];
        call.write({ [kind]: { response: { bodyMutation: { streamedResponse: { body, endOfStream } } } } });
      } else call.write({ [kind]: {} });
    });
    call.on('end', () => call.end());
    call.on('error', () => {});
  },
});
server.bindAsync(`unix:${socketPath}`, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
  process.send?.('ready');
});
