import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERRORS, SluiceError } from '../../../src/core/errors.js';
import { openaiChat } from '../../../src/dialects/openai-chat/index.js';
import { bodyPieces, immediateResponse, list, number, struct, text } from '../../../src/extproc/messages.js';
import {
  type HeaderMutation,
  METHODS,
  type ProcessingRequest,
  type ProcessingResponse,
  type StructValue,
} from '../../../src/extproc/protocol.js';
import { readAccessLog } from '../../../src/extproc/wire/read-access-log.js';
import { readProcessingRequest } from '../../../src/extproc/wire/read-request.js';
import { writeProcessingResponse } from '../../../src/extproc/wire/write-response.js';
import { errorReply } from '../../../src/pipeline/exchange/replies.js';
import { loadAccessLog, loadExternalProcessor } from '../../support/ext-proc.js';
import { type ProtoTable, readProtoTable } from '../../support/proto-table.js';

const PROTO = fileURLToPath(new URL('../../../proto', import.meta.url));
const SERVICES = [
  'envoy/service/ext_proc/v3/external_processor.proto',
  'envoy/service/accesslog/v3/als.proto',
];
/** Envoy's own names, numbers and types of what is near to what we speak. */
const ENVOYS = JSON.parse(
  readFileSync(new URL('../../fixtures/ext-proc.json', import.meta.url), 'utf8'),
) as ProtoTable;

describe('proto/', () => {
  it("has Envoy's names, numbers and types, and nothing that Envoy does not have", () => {
    const ours = readProtoTable(PROTO, SERVICES);
    expect(Object.keys(ours.messages).length).toBeGreaterThan(15);
    expect(ENVOYS).toMatchObject(ours);
  });

  it('has the paths that Envoy calls', () => {
    expect(METHODS).toEqual({
      process: loadExternalProcessor().Process.path,
      streamAccessLogs: loadAccessLog().StreamAccessLogs.path,
    });
  });
});

const { Process } = loadExternalProcessor();
const { StreamAccessLogs } = loadAccessLog();

/** What a message says: without the names of its oneofs, which the library adds, and what holds nothing. */
function meaning(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (isMutation(value)) return meaning(asLibrary(value));
  if (Array.isArray(value)) return value.map(meaning);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(
    ([key, field]) =>
      !(Array.isArray(field) && field.length === 0) &&
      field !== false &&
      !(['response', 'mutation', 'kind'].includes(key) && typeof field === 'string'),
  );
  return Object.fromEntries(
    fields.map(([key, field]) => [key, key === 'code' ? statusOf(field) : meaning(field)]),
  );
}

function isMutation(value: unknown): value is HeaderMutation {
  return typeof value === 'object' && value !== null && 'set' in value && 'remove' in value;
}

/** Our short form of header changes, as the library has it. */
function asLibrary({ set, remove }: HeaderMutation): object {
  const setHeaders = Object.entries(set).map(([key, value]) => ({
    header: { key, rawValue: Buffer.from(value) },
    appendAction: 'OVERWRITE_IF_EXISTS_OR_ADD',
  }));
  return { setHeaders, removeHeaders: remove };
}

/** Statuses that proto/ names are decoded to their names. */
function statusOf(code: unknown): unknown {
  return typeof code === 'string' ? ENVOYS.enums['envoy.type.v3.StatusCode']![code] : code;
}

const long = 'x'.repeat(200_000);
const headers: HeaderMutation = {
  set: { ':path': '/v1/chat', authorization: 'Bearer grüße', empty: '', long: 'ü'.repeat(40_000) },
  remove: ['cookie', 'x-api-key'],
};
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
    const decoded = Process.responseDeserialize(writeProcessingResponse(response));
    expect(meaning(decoded)).toEqual(meaning(response));
  });

  it.each([...new Set(Object.values(ERRORS).map(({ status }) => status)), 299, 529])(
    'can have the status %i',
    (code) => {
      const response = { immediateResponse: { status: { code } } };
      expect(meaning(Process.responseDeserialize(writeProcessingResponse(response)))).toEqual(response);
    },
  );

  it('reaches Envoy as it was built, whatever its texts, numbers and sizes', () => {
    const pairs = fc.dictionary(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ unit: 'binary' }));
    const { value } = fc.letrec<{ value: StructValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.string({ unit: 'binary' }).map(text),
        fc.double({ noNaN: true }).map(number),
        fc.constant({ boolValue: true }),
        fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { minKeys: 1, maxKeys: 3 }).map(struct),
        fc.array(tie('value'), { minLength: 1, maxLength: 3 }).map(list),
      ),
    }));
    fc.assert(
      fc.property(
        pairs,
        fc.array(fc.string({ minLength: 1 })),
        value,
        fc.nat(80_000),
        (set, remove, one, size) => {
          const response: ProcessingResponse = {
            requestHeaders: {
              response: { headerMutation: { set, remove }, bodyMutation: { body: Buffer.alloc(size, 'b') } },
            },
            dynamicMetadata: { fields: { one } },
          };
          const decoded = Process.responseDeserialize(writeProcessingResponse(response));
          expect(meaning(decoded)).toEqual(meaning(response));
        },
      ),
    );
  });
});

/** What the library writes for a request of Envoy, with a field that we do not know: `observability_mode`, number 10. */
function written(request: object): Buffer {
  return Buffer.concat([Process.requestSerialize(request), Buffer.from([10 << 3, 1])]);
}

const read = (request: object): ProcessingRequest => readProcessingRequest(written(request));

describe('a request of Envoy', () => {
  it('is read together with what it says about its filter and its request', () => {
    const rest = {
      metadataContext: { filterMetadata: { 'sluice.exchange': { fields: { key: text('k') } } } },
      attributes: {
        'envoy.filters.http.ext_proc': { fields: { 'response.code_details': text('via_upstream') } },
      },
    };
    const headers = { headers: [{ key: ':path', rawValue: Buffer.from('/größe') }] };
    expect(read({ requestHeaders: { headers, endOfStream: true }, ...rest })).toEqual({
      request: 'requestHeaders',
      requestHeaders: { headers: { ':path': '/größe' }, endOfStream: true },
      ...rest,
    });
  });

  it('gives its headers from the raw values, or from the plain ones where there are no raw ones', () => {
    const headers = [
      { key: ':path', rawValue: Buffer.from('/größe') },
      { key: 'a', value: 'b' },
      { key: 'c' },
      { key: 'constructor', rawValue: Buffer.from('d') },
    ];
    expect(read({ responseHeaders: { headers: { headers } } })).toEqual({
      request: 'responseHeaders',
      responseHeaders: {
        headers: { ':path': '/größe', a: 'b', c: '', constructor: 'd' },
        endOfStream: false,
      },
    });
  });

  it('joins the values of repeated headers', () => {
    const headers = ['a', 'b'].map((value) => ({ key: 'accept', rawValue: Buffer.from(value) }));
    expect(read({ requestHeaders: { headers: { headers } } }).requestHeaders!.headers).toEqual({
      accept: 'a, b',
    });
  });

  it.each(['requestBody', 'responseBody'] as const)('has its body: %s', (kind) => {
    const body = Buffer.from(long);
    expect(read({ [kind]: { body, endOfStream: true } })).toEqual({
      request: kind,
      [kind]: { body, endOfStream: true },
    });
    expect(read({ [kind]: {} })).toEqual({ request: kind, [kind]: { endOfStream: false } });
  });

  it.each(['requestTrailers', 'responseTrailers'] as const)('may consist of trailers: %s', (kind) => {
    const trailers = { headers: [{ key: 'a', rawValue: Buffer.from('b') }] };
    expect(read({ [kind]: { trailers } })).toEqual({ request: kind });
  });

  it('is refused where it is cut off, and is never read past its end', () => {
    const whole = written({
      requestHeaders: { headers: { headers: [{ key: ':path', rawValue: Buffer.from('/größe') }] } },
      metadataContext: {
        filterMetadata: { a: { fields: { b: list([number(1), struct({ c: text('d') })]) } } },
      },
    });
    for (let length = 1; length < whole.length - 2; length++) {
      try {
        expect(readProcessingRequest(whole.subarray(0, length))).toBeTypeOf('object');
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });

  it('of random bytes is read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60, size: 'max' }), (bytes) => {
        try {
          expect(readProcessingRequest(Buffer.from(bytes))).toBeTypeOf('object');
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

it("the access log of Envoy is read: tries without an answer, clients that left, and requests with their exchange's key", () => {
  const filterMetadata = { 'sluice.exchange': { fields: { key: text('k') } } };
  const message = StreamAccessLogs.requestSerialize({
    httpLogs: {
      logEntry: [
        {
          commonProperties: { responseFlags: { upstreamConnectionFailure: true } },
          request: {
            requestId: 'id',
            requestHeaders: { 'x-envoy-attempt-count': '2', traceparent: 'a', other: '7' },
          },
        },
        {
          commonProperties: { responseFlags: { upstreamRequestTimeout: true } },
          request: { requestHeaders: { traceparent: 'a' } },
        },
        { commonProperties: { metadata: { filterMetadata } } },
        { commonProperties: { responseFlags: { downstreamConnectionTermination: true } } },
        { commonProperties: { responseFlags: { downstreamRemoteReset: true } } },
        {},
      ],
    },
  });
  const nothing = { connectionFailed: false, timedOut: false, clientLeft: false };
  expect(readAccessLog(message)).toEqual([
    { ...nothing, connectionFailed: true, requestId: 'id', attemptNumber: 2 },
    { ...nothing, timedOut: true, attemptNumber: 0 },
    { ...nothing, filterMetadata },
    { ...nothing, clientLeft: true },
    { ...nothing, clientLeft: true },
    nothing,
  ]);
});
