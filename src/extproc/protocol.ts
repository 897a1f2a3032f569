/*
 * The messages between the engine and Envoy as plain objects: the part of proto/ that is used. A field that was not
 * set is absent. `wire/` encodes and decodes them.
 */

/** The paths that Envoy calls. */
export const METHODS = {
  process: '/envoy.service.ext_proc.v3.ExternalProcessor/Process',
  streamAccessLogs: '/envoy.service.accesslog.v3.AccessLogService/StreamAccessLogs',
} as const;

export interface HttpHeaders {
  /** Header values by name in lower case. Repeated values are joined. */
  headers: Record<string, string>;
  endOfStream: boolean;
}

export interface HttpBody {
  body?: Buffer;
  endOfStream: boolean;
}

/** protobuf's Struct, as far as Envoy's attributes use it. */
export interface Struct {
  fields?: Record<string, StructValue>;
}

export interface StructValue {
  stringValue?: string;
  numberValue?: number;
  boolValue?: boolean;
  structValue?: Struct;
  listValue?: { values: StructValue[] };
}

export interface ProcessingRequest {
  request?:
    | 'requestHeaders'
    | 'responseHeaders'
    | 'requestBody'
    | 'responseBody'
    | 'requestTrailers'
    | 'responseTrailers';
  requestHeaders?: HttpHeaders;
  responseHeaders?: HttpHeaders;
  requestBody?: HttpBody;
  responseBody?: HttpBody;
  attributes?: Record<string, Struct>;
  metadataContext?: { filterMetadata?: Record<string, Struct> };
  /** Set where Envoy sends the request's body in pieces without being asked for it. */
  duplexRequest?: boolean;
}

export interface HeaderMutation {
  /** Headers to set. Each replaces the header of the same name. */
  set: Readonly<Record<string, string>>;
  remove: readonly string[];
}

export interface CommonResponse {
  status?: 'CONTINUE' | 'CONTINUE_AND_REPLACE';
  headerMutation?: HeaderMutation;
  bodyMutation?: { body: Buffer } | { streamedResponse: { body: Buffer; endOfStream: boolean } };
  clearRouteCache?: boolean;
}

export interface ProcessingMode {
  requestHeaderMode: 'SEND';
  responseHeaderMode: 'SEND';
  responseBodyMode: 'FULL_DUPLEX_STREAMED';
  responseTrailerMode: 'SEND';
}

export interface ProcessingResponse {
  requestHeaders?: { response: CommonResponse };
  responseHeaders?: { response: CommonResponse };
  requestBody?: { response: CommonResponse };
  responseBody?: { response: CommonResponse };
  requestTrailers?: Record<string, never>;
  responseTrailers?: Record<string, never>;
  immediateResponse?: {
    status: { code: number };
    headers?: HeaderMutation;
    body?: Buffer;
    details?: string;
  };
  dynamicMetadata?: Struct;
  modeOverride?: ProcessingMode;
}

/** The part of an access log entry that is used: what went wrong on the way to a provider. */
export interface AccessLogEntry {
  /** Whether no connection could be made. */
  connectionFailed: boolean;
  /** Whether the time limit of the attempt was reached. */
  timedOut: boolean;
  /** Whether the client closed its connection, or reset the request. */
  clientLeft: boolean;
  requestId?: string;
  /**
   * The attempt's number from 1 on, where the entry is about an attempt. 0 means the last attempt that the engine
   * wrote.
   */
  attemptNumber?: number;
  filterMetadata?: Record<string, Struct>;
}
