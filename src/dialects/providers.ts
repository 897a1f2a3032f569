import { baseUrl } from '../core/base-url.js';
import type { DialectId } from '../core/dialect-ids.js';
import type { Provider, ProviderApi } from '../core/settings.js';

/** How one kind of provider is called. A new kind is one more entry in `PROVIDER_KINDS`. */
interface ProviderKind {
  /** The dialects that it speaks. Requests of other dialects are translated to the first. */
  dialects(provider: Pick<Provider, 'responses'>): DialectId[];
  /** The path and query of a call, after the path of `base_url`. */
  path(provider: Provider, dialect: DialectId, model: string, stream: boolean): string;
  /** The path that counts the tokens of a request of this dialect; undefined where the provider does not count. */
  countPath(provider: Pick<Provider, 'compatible'>, dialect: DialectId, model: string): string | undefined;
  credentialHeaders(credential: string): Record<string, string>;
  /** Headers that a request needs. A client of the same dialect may have set them. */
  defaultHeaders: Record<string, string>;
}

const OPENAI_PATHS: Partial<Record<DialectId, string>> = {
  'openai.chat': '/chat/completions',
  'openai.responses': '/responses',
  'openai.completions': '/completions',
  'openai.embeddings': '/embeddings',
  'openai.moderations': '/moderations',
};

const openaiDialects = (provider: Pick<Provider, 'responses'>): DialectId[] => [
  'openai.chat',
  ...(provider.responses ? (['openai.responses'] as const) : []),
  'openai.completions',
  'openai.embeddings',
  'openai.moderations',
];

const PROVIDER_KINDS: Record<ProviderApi, ProviderKind> = {
  openai: {
    dialects: openaiDialects,
    path: (_provider, dialect) => OPENAI_PATHS[dialect]!,
    // Servers that are compatible with Responses do not have this call.
    countPath: ({ compatible = 'openai' }, dialect) =>
      dialect === 'openai.responses' && compatible === 'openai' ? '/responses/input_tokens' : undefined,
    credentialHeaders: (credential) => ({ authorization: `Bearer ${credential}` }),
    defaultHeaders: {},
  },
  anthropic: {
    dialects: () => ['anthropic.messages'],
    path: () => '/messages',
    countPath: () => '/messages/count_tokens',
    credentialHeaders: (credential) => ({ 'x-api-key': credential }),
    defaultHeaders: { 'anthropic-version': '2023-06-01' },
  },
  azure_openai: {
    // Azure moderates prompts and answers itself and has no call for it.
    dialects: (provider) => openaiDialects(provider).filter((id) => id !== 'openai.moderations'),
    path: azurePath,
    countPath: () => undefined,
    credentialHeaders: (credential) => ({ 'api-key': credential }),
    defaultHeaders: {},
  },
  gemini: {
    dialects: () => ['gemini.generate'],
    path: geminiPath,
    countPath: (_provider, _dialect, model) => `/models/${encodeURIComponent(model)}:countTokens`,
    credentialHeaders: (credential) => ({ 'x-goog-api-key': credential }),
    defaultHeaders: {},
  },
};

function geminiPath(_provider: Provider, _dialect: DialectId, model: string, stream: boolean): string {
  return `/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}

/** With an `api_version`, the deployment is in the path. Without one it is Azure's v1 API, which equals OpenAI's. */
function azurePath(provider: Provider, dialect: DialectId, model: string): string {
  const root = /\/openai(\/v1)?$/.test(basePath(provider)) ? '' : '/openai';
  const path = OPENAI_PATHS[dialect]!;
  if (provider.api_version === undefined) {
    return (basePath(provider).endsWith('/v1') ? '' : `${root}/v1`) + path;
  }
  const query = `?api-version=${encodeURIComponent(provider.api_version)}`;
  if (dialect === 'openai.responses') return root + path + query;
  return `${root}/deployments/${encodeURIComponent(model)}${path}${query}`;
}

function basePath(provider: Provider): string {
  return baseUrl(provider).pathname.replace(/\/+$/, '');
}

export interface ProviderCall {
  /** The path and query of a call, including the path of `base_url`. */
  path: string;
  /** The credential, then the operator's own headers. They replace headers that the client sent. Names are in lower case. */
  headers: Record<string, string>;
  /** Headers that are set only where the client sent none of that name. */
  defaultHeaders: Record<string, string>;
}

/** The address of a call, and its credential. `dialect` is one that the provider speaks. */
export function providerCall(
  provider: Provider,
  dialect: DialectId,
  model: string,
  call: { kind?: 'answer' | 'count_tokens'; stream?: boolean } = {},
): ProviderCall {
  const kind = PROVIDER_KINDS[provider.api];
  const path =
    call.kind === 'count_tokens'
      ? kind.countPath(provider, dialect, model)
      : kind.path(provider, dialect, model, call.stream === true);
  const credential =
    provider.credential === undefined ? {} : kind.credentialHeaders(provider.credential.reveal());
  const own = Object.entries(provider.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    path: basePath(provider) + path,
    headers: Object.assign({}, credential, Object.fromEntries(own)),
    defaultHeaders: kind.defaultHeaders,
  };
}

/** The path and headers of a GET for the list of a provider's models. Such a call costs nothing. */
export function modelsCall(provider: Provider): Pick<ProviderCall, 'path' | 'headers'> {
  const { headers, defaultHeaders } = providerCall(
    provider,
    chooseProviderDialect(provider, 'openai.chat'),
    '',
  );
  return { path: modelsPath(provider), headers: { ...defaultHeaders, ...headers } };
}

function modelsPath(provider: Provider): string {
  const base = basePath(provider);
  if (provider.api !== 'azure_openai') return `${base}/models`;
  const root = /\/openai(\/v1)?$/.test(base) ? base : `${base}/openai`;
  if (provider.api_version !== undefined) {
    return `${root}/models?api-version=${encodeURIComponent(provider.api_version)}`;
  }
  return `${base.endsWith('/v1') ? base : `${root}/v1`}/models`;
}

export function speaks(provider: Pick<Provider, 'api' | 'responses'>, dialect: DialectId): boolean {
  return PROVIDER_KINDS[provider.api].dialects(provider).includes(dialect);
}

/** Whether the provider counts the tokens of a request of this dialect. */
export function countsTokens(
  provider: Pick<Provider, 'api' | 'responses' | 'compatible'>,
  dialect: DialectId,
): boolean {
  return (
    speaks(provider, dialect) && PROVIDER_KINDS[provider.api].countPath(provider, dialect, '') !== undefined
  );
}

/** The client's own dialect where the provider speaks it, else the provider's first. */
export function chooseProviderDialect(provider: Provider, clientDialect: DialectId): DialectId {
  const spoken = PROVIDER_KINDS[provider.api].dialects(provider);
  return spoken.includes(clientDialect) ? clientDialect : spoken[0]!;
}
