import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ERRORS, SluiceError } from '../../src/core/errors.js';
import { openaiChat } from '../../src/dialects/openai-chat/index.js';
import {
  bodyPieces,
  headerMutation,
  immediateResponse,
  list,
  number,
  struct,
  text,
} from '../../src/extproc/messages.js';
import {
  loadAccessLog,
  loadExternalProcessor,
  type ProcessingRequest,
  type ProcessingResponse,
} from '../../src/extproc/protocol.js';
import { errorReply } from '../../src/pipeline/replies.js';
import { type ProtoTable, readProtoTable } from '../support/proto-table.js';

const PROTO = fileURLToPath(new URL('../../proto', import.meta.url));
const SERVICES = [
  'envoy/service/ext_proc/v3/external_processor.proto',
  'envoy/service/accesslog/v3/als.proto',
];
/** Envoy's own names, numbers and types of what is near to what we speak. */
const ENVOYS = JSON.parse(
  readFileSync(new URL('../fixtures/ext-proc.json', import.meta.url), 'utf8'),
) as ProtoTable;

describe('proto/', () => {
  it("has Envoy's names, numbers and types, and nothing that Envoy has not", () => {
    const ours = readProtoTable(PROTO, SERVICES);
    expect(Object.keys(ours.messages).length).toBeGreaterThan(15);
    expect(ENVOYS).toMatchObject(ours);
  });

  it('has the paths that Envoy calls', () => {
    expect(loadExternalProcessor().Process.path).toBe('/envoy.service.ext_proc.v3.ExternalProcessor/Process');
    expect(loadAccessLog().StreamAccessLogs.path).toBe(
      '/envoy.service.accesslog.v3.AccessLogService/StreamAccessLogs',
    );
  });
});

const { Process } = loadExternalProcessor();

/** What a message says: without the names of its oneofs, which the decoder adds, and lists that hold nothing. */
function meaning(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (Array.isArray(value)) return value.map(meaning);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(
    ([key, field]) =>
      !(Array.isArray(field) && field.length === 0) &&
      !(['response', 'mutation', 'kind'].includes(key) && typeof field === 'string'),
  );
  return Object.fromEntries(
    fields.map(([key, field]) => [key, key === 'code' ? statusOf(field) : meaning(field)]),
  );
}

/** Statuses that proto/ names are decoded to their names. */
function statusOf(code: unknown): unknown {
  return typeof code === 'string' ? ENVOYS.enums['envoy.type.v3.StatusCode']![code] : code;
}

const long = 'x'.repeat(200_000);
const headers = headerMutation({ ':path': '/v1/chat', authorization: 'Bearer grüße', empty: '' }, [
  'cookie',
  'x-api-key',
]);
const error = errorReply(openaiChat, new SluiceError('model_not_found', 'No endpoint “größe”.'), 'id');

/** One of each kind that the engine's streams write. */
const RESPONSES: [string, ProcessingResponse][] = [
  [
    'the forwarding of a request with its chain',
    {
      requestHeaders: { response: { headerMutation: headers, clearRouteCache: true } },
      dynamicMetadata: {
        fields: {
          'sluice.route': struct({
            priority_groups: list([
              struct({
                name: text('try-1'),
                clusters: list([struct({ cluster_name: text('provider-fake'), weight: number(1) })]),
              }),
            ]),
          }),
          'sluice.exchange': struct({ key: text('k') }),
        },
      },
    },
  ],
  ...[...bodyPieces(Buffer.from(long), true)].map((response, index): [string, ProcessingResponse] => [
    `piece ${index} of a request's body`,
    { requestBody: { response } },
  ]),
  [
    'a try with its whole body, and the modes of its answer',
    {
      requestHeaders: {
        response: {
          status: 'CONTINUE_AND_REPLACE',
          headerMutation: headers,
          bodyMutation: { body: Buffer.from(long) },
        },
      },
      modeOverride: {
        requestHeaderMode: 'SEND',
        responseHeaderMode: 'SEND',
        responseBodyMode: 'FULL_DUPLEX_STREAMED',
        responseTrailerMode: 'SEND',
      },
    },
  ],
  ["an answer's head", { responseHeaders: { response: { headerMutation: headers } } }],
  ...[...bodyPieces(Buffer.from('data: 👋\n\n'), false), ...bodyPieces(Buffer.alloc(0), true)].map(
    (response, index): [string, ProcessingResponse] => [
      `piece ${index} of an answer`,
      { responseBody: { response } },
    ],
  ),
  ["an answer's trailers", { responseTrailers: {} }],
  ['an answer of our own', immediateResponse(error, 'sluice')],
  [
    'an answer of our own without a body',
    { immediateResponse: { status: { code: 413 }, body: Buffer.alloc(0), details: 'sluice' } },
  ],
];

describe('a response of the engine', () => {
  it.each(RESPONSES)('reaches Envoy as it was built: %s', (_kind, response) => {
    const decoded = Process.responseDeserialize(Process.responseSerialize(response));
    expect(meaning(decoded)).toEqual(meaning(response));
  });

  it.each([...new Set(Object.values(ERRORS).map(({ status }) => status)), 299, 529])(
    'can have the status %i',
    (code) => {
      const response = { immediateResponse: { status: { code } } };
      expect(meaning(Process.responseDeserialize(Process.responseSerialize(response)))).toEqual(response);
    },
  );
});

describe('a request of Envoy', () => {
  it('is read with fields that we leave out skipped', () => {
    const request: ProcessingRequest = {
      requestHeaders: {
        headers: { headers: [{ key: ':path', rawValue: Buffer.from('/größe') }] },
        endOfStream: false,
      },
      metadataContext: { filterMetadata: { 'sluice.exchange': { fields: { key: text('k') } } } },
      attributes: {
        'envoy.filters.http.ext_proc': { fields: { 'response.code_details': text('via_upstream') } },
      },
    };
    // Field 10 of type bool: `observability_mode`, which Envoy may send and we do not know.
    const unknown = Buffer.from([10 << 3, 1]);
    const bytes = Buffer.concat([Process.requestSerialize(request), unknown]);
    expect(Process.requestDeserialize(bytes)).toMatchObject({ ...request, request: 'requestHeaders' });
  });
});
