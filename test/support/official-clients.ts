import Anthropic from '@anthropic-ai/sdk';
import { ApiError, type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import type { ConversationId } from '../../src/core/dialect-ids.js';
import type { JsonObject } from '../../src/core/json.js';
import { type Gateway, KEYS, PROJECT } from './gateway.js';

/** An answer as it was received, for comparing it with what a client made of it. */
export interface WireAnswer {
  status: number;
  headers: Headers;
  /** The text of the answer. Rejects where the answer was broken off. */
  text: Promise<string>;
  /** The text that arrived, even where the answer was broken off. */
  textSoFar: Promise<string>;
  /** The log id. */
  id: string;
}

/** A `fetch` that keeps a copy of each answer. */
export function recordingFetch(): { fetch: typeof fetch; answers: WireAnswer[] } {
  const answers: WireAnswer[] = [];
  return {
    answers,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      answers.push(copyOf(response));
      return response;
    },
  };
}

function copyOf(response: Response): WireAnswer {
  const chunks: Uint8Array[] = [];
  const read = async () => {
    const { body } = response.clone();
    if (body === null) return;
    for await (const chunk of body) chunks.push(chunk as Uint8Array);
  };
  const spelled = () => Buffer.concat(chunks).toString('utf8');
  const text = read().then(spelled);
  return {
    status: response.status,
    headers: response.headers,
    id: response.headers.get('x-inference-log-id') ?? '',
    text,
    textSoFar: text.catch(spelled),
  };
}

export interface ClientOptions {
  key?: string;
  headers?: Record<string, string>;
  fetch?: typeof fetch;
  maxRetries?: number;
}

export function openaiClient(gateway: Gateway, options: ClientOptions = {}): OpenAI {
  return new OpenAI({
    apiKey: options.key ?? KEYS.inference,
    baseURL: `${gateway.sluice.gatewayUrl}/${PROJECT}/openai/v1`,
    maxRetries: options.maxRetries ?? 0,
    defaultHeaders: options.headers,
    fetch: options.fetch,
  });
}

export function anthropicClient(gateway: Gateway, options: ClientOptions = {}): Anthropic {
  return new Anthropic({
    apiKey: options.key ?? KEYS.inference,
    baseURL: `${gateway.sluice.gatewayUrl}/${PROJECT}/anthropic`,
    maxRetries: options.maxRetries ?? 0,
    defaultHeaders: options.headers,
    fetch: options.fetch,
  });
}

export function geminiClient(gateway: Gateway, options: ClientOptions = {}): GoogleGenAI {
  return new GoogleGenAI({
    apiKey: options.key ?? KEYS.inference,
    httpOptions: {
      baseUrl: `${gateway.sluice.gatewayUrl}/${PROJECT}/gemini`,
      headers: options.headers,
      fetch: options.fetch,
      retryOptions: { attempts: 1 },
    },
  });
}

/** The SDK takes everything but the contents as one flat `config`, and unknown members as `extraBody`. */
function geminiParameters({ model, contents, generationConfig, metadata, ...config }: JsonObject) {
  const extra = metadata === undefined ? {} : { httpOptions: { extraBody: { metadata } } };
  return { model, contents, config: { ...config, ...(generationConfig as JsonObject), ...extra } } as never;
}

/** The SDK drops unknown members, so the log id is read from the header. */
function geminiAnswer(responses: GenerateContentResponse[]): unknown {
  const [first] = responses;
  const parts = responses.flatMap((response) => response.candidates?.[0]?.content?.parts ?? []);
  return {
    inference_log_id: first?.sdkHttpResponse?.headers?.['x-inference-log-id'],
    id: first?.responseId,
    candidates: [{ content: { parts } }],
  };
}

/** An official SDK: takes a request body and returns what the SDK makes of the answer. */
export interface OfficialClient {
  dialect: ConversationId;
  /** The path below the project. */
  path: string;
  /** The class of error that the SDK throws for each status, and where a connection broke. */
  errors: Record<string, new (...args: never[]) => Error>;
  create(gateway: Gateway, body: JsonObject, options?: ClientOptions): Promise<unknown>;
  /** The complete answer that the SDK builds from a stream. */
  stream(gateway: Gateway, body: JsonObject, options?: ClientOptions): Promise<unknown>;
  /** What an answer of the SDK contains. */
  said(answer: unknown): Said;
}

/** What a person would see in an answer. */
export interface Said {
  text: string;
  calls: { name: string; arguments: unknown }[];
}

const OPENAI_ERRORS = {
  400: OpenAI.BadRequestError,
  401: OpenAI.AuthenticationError,
  403: OpenAI.PermissionDeniedError,
  404: OpenAI.NotFoundError,
  422: OpenAI.UnprocessableEntityError,
  429: OpenAI.RateLimitError,
  500: OpenAI.InternalServerError,
  502: OpenAI.InternalServerError,
};
const ANTHROPIC_ERRORS = {
  400: Anthropic.BadRequestError,
  401: Anthropic.AuthenticationError,
  403: Anthropic.PermissionDeniedError,
  404: Anthropic.NotFoundError,
  422: Anthropic.UnprocessableEntityError,
  429: Anthropic.RateLimitError,
  500: Anthropic.InternalServerError,
  502: Anthropic.InternalServerError,
};

const GEMINI_ERRORS = Object.fromEntries(
  [400, 401, 403, 404, 422, 429, 500, 502].map((status) => [
    status,
    ApiError as new (...args: never[]) => Error,
  ]),
);

/*
 * Fixtures are JSON, whose types the SDKs do not check at run time.
 */
export const OFFICIAL_CLIENTS: readonly OfficialClient[] = [
  {
    dialect: 'openai.chat',
    path: 'openai/v1/chat/completions',
    errors: OPENAI_ERRORS,
    create: (gateway, body, options) =>
      openaiClient(gateway, options).chat.completions.create(body as never) as Promise<unknown>,
    stream: (gateway, body, options) =>
      openaiClient(gateway, options)
        .chat.completions.stream({ ...body, stream_options: { include_usage: true } } as never)
        .finalChatCompletion(),
    said: (answer) => {
      const { message } = (answer as OpenAI.ChatCompletion).choices[0]!;
      return {
        text: message.content ?? message.refusal ?? '',
        calls: (message.tool_calls ?? []).flatMap((call) =>
          call.type === 'function'
            ? [{ name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown }]
            : [],
        ),
      };
    },
  },
  {
    dialect: 'openai.responses',
    path: 'openai/v1/responses',
    errors: OPENAI_ERRORS,
    create: (gateway, body, options) =>
      openaiClient(gateway, options).responses.create(body as never) as Promise<unknown>,
    stream: (gateway, body, options) =>
      openaiClient(gateway, options)
        .responses.stream(body as never)
        .finalResponse(),
    said: (answer) => {
      const { output } = answer as OpenAI.Responses.Response;
      return {
        text: output
          .flatMap((item) => (item.type === 'message' ? item.content : []))
          .map((part) => (part.type === 'refusal' ? part.refusal : part.text))
          .join(''),
        calls: output.flatMap((item) =>
          item.type === 'function_call'
            ? [{ name: item.name, arguments: JSON.parse(item.arguments) as unknown }]
            : [],
        ),
      };
    },
  },
  {
    dialect: 'anthropic.messages',
    path: 'anthropic/v1/messages',
    errors: ANTHROPIC_ERRORS,
    create: (gateway, body, options) =>
      anthropicClient(gateway, options).messages.create(body as never) as Promise<unknown>,
    stream: (gateway, body, options) =>
      anthropicClient(gateway, options)
        .messages.stream(body as never)
        .finalMessage(),
    said: (answer) => {
      const { content } = answer as Anthropic.Message;
      return {
        text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        calls: content.flatMap((block) =>
          block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [],
        ),
      };
    },
  },
  {
    dialect: 'gemini.generate',
    path: 'gemini/v1beta/models/{model}:generateContent',
    errors: GEMINI_ERRORS,
    create: async (gateway, body, options) => {
      const response = await geminiClient(gateway, options).models.generateContent(geminiParameters(body));
      return geminiAnswer([response]);
    },
    stream: async (gateway, body, options) => {
      const chunks: GenerateContentResponse[] = [];
      const { models } = geminiClient(gateway, options);
      for await (const chunk of await models.generateContentStream(geminiParameters(body)))
        chunks.push(chunk);
      return geminiAnswer(chunks);
    },
    said: (answer) => {
      const parts = (answer as GenerateContentResponse).candidates?.[0]?.content?.parts ?? [];
      return {
        text: parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join(''),
        calls: parts.flatMap(({ functionCall: call }) =>
          call === undefined ? [] : [{ name: call.name ?? '', arguments: call.args }],
        ),
      };
    },
  },
];
