import { createSignal } from '../app/signal.ts';
import type { Api, Schemas } from '../generated/api.ts';

export type Log = Schemas['Log'];
export type LogSummary = Schemas['LogSummary'];
export type Route = keyof Api;
export type Answer<R extends Route> = Api[R]['answer'];

/** Why a call failed: the API refused it, or the service could not be reached. */
export class ApiError extends Error {
  constructor(
    /** The HTTP status of the answer; 0 where no answer came. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: { path: string; message: string }[] = [],
  ) {
    super(message);
  }
}

export interface CallOptions<R extends Route> {
  params?: Api[R]['params'];
  query?: URLSearchParams | Partial<Api[R]['query']>;
  body?: Api[R]['body'];
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Reply<R extends Route> {
  status: number;
  headers: Headers;
  etag: string | undefined;
  data: Answer<R>;
}

/** Fires when an answer says that the session has ended. */
export const sessionEnded = createSignal<void>();
/** Fires when the storage, or the whole service, did not answer. */
export const serviceAway = createSignal<ApiError>();

export async function call<R extends Route>(route: R, options: CallOptions<R> = {}): Promise<Answer<R>> {
  return (await callWhole(route, options)).data;
}

export async function callWhole<R extends Route>(route: R, options: CallOptions<R> = {}): Promise<Reply<R>> {
  const response = await send(route, options);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    etag: response.headers.get('etag') ?? undefined,
    data: (text === '' ? null : isJson ? JSON.parse(text) : text) as Answer<R>,
  };
}

/**
 * Makes a call and returns its response unread, for streams and downloads. Rejects with an `ApiError` unless the
 * status is good; with `errorsToo` it also returns errors of the route.
 */
export async function send<R extends Route>(
  route: R,
  options: CallOptions<R>,
  { errorsToo = false } = {},
): Promise<Response> {
  const [method, path] = route.split(' ') as [string, string];
  const url = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent((options.params as Record<string, string>)?.[name] ?? ''),
  );
  const query = toParameters(options.query).toString();
  const headers: Record<string, string> = { 'x-sluice-csrf': '1', ...options.headers };
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(query === '' ? url : `${url}?${query}`, {
      method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
      credentials: 'same-origin',
      cache: 'no-store',
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const away = new ApiError(0, 'unreachable', 'Sluice does not answer.');
    serviceAway.tell(away);
    throw away;
  }
  if (response.ok || (errorsToo && response.headers.has('x-inference-log-id'))) return response;
  const problem = await readError(response);
  if (problem.status === 401 && path !== '/api/session') sessionEnded.tell();
  if (problem.code === 'storage_unavailable') serviceAway.tell(problem);
  throw problem;
}

async function readError(response: Response): Promise<ApiError> {
  try {
    const { error } = JSON.parse(await response.text()) as Schemas['Error'];
    return new ApiError(response.status, error.code, error.message, error.details);
  } catch {
    return new ApiError(response.status, 'unknown', `The answer was ${response.status}.`);
  }
}

function toParameters(query: object | undefined): URLSearchParams {
  if (query instanceof URLSearchParams) return query;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat())
      if (one !== undefined && one !== null) parameters.append(name, String(one));
  }
  return parameters;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
