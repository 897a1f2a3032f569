import { baseUrl } from '../core/base-url.js';
import type { DialectId } from '../core/dialect-ids.js';
import type { Compatible, Provider } from '../core/settings.js';
import { type ChatTraits, OPENAI_TRAITS } from './dialect.js';
import type { Bounds } from './translate/bounds.js';
import type { NameBound } from './wire/name-bound.js';

/*
 * What providers accept of a request: the limits of each API, and what servers that speak OpenAI's API refuse or name
 * differently. A new server is one row in `ROWS`, and its name in `COMPATIBLE` of core/settings.ts.
 */

const OPENAI_NAME: NameBound = { longest: 64, others: /[^a-zA-Z0-9_-]/ };

const MISTRAL_ID: NameBound = { longest: 9, others: /[^a-zA-Z0-9]/, exact: true };

const OPENAI_BOUNDS: Bounds = {
  toolName: OPENAI_NAME,
  callId: { longest: 40, others: /[^a-zA-Z0-9_-]/ },
  user: 64,
  stop: 4,
};

const BOUNDS: Partial<Record<DialectId, Bounds>> = {
  'openai.chat': OPENAI_BOUNDS,
  'openai.responses': { ...OPENAI_BOUNDS, callId: { ...OPENAI_BOUNDS.callId, longest: 64 } },
  'anthropic.messages': {
    toolName: { ...OPENAI_NAME, longest: 128 },
    callId: { longest: 256, others: /[^a-zA-Z0-9_-]/ },
    user: 256,
    stop: 8191,
  },
  'gemini.generate': {
    toolName: { longest: 64, others: /[^a-zA-Z0-9_.:-]/, begin: /^[a-zA-Z_]/ },
    callId: { longest: 256, others: /[^\x21-\x7e]/ },
    user: 0,
    stop: 5,
  },
};

/** What most compatible servers have in common: the older name of the token limit, and no role `developer`. */
const OTHERS: ChatTraits = {
  maxTokens: 'max_tokens',
  streamOptions: true,
  developer: false,
  saidTurnsOnly: true,
};

interface Row {
  traits: ChatTraits;
  bounds?: Partial<Bounds>;
}

const ROWS: Record<Compatible, Row> = {
  openai: { traits: OPENAI_TRAITS },
  azure: { traits: OPENAI_TRAITS },
  mistral: {
    traits: {
      maxTokens: 'max_tokens',
      streamOptions: false,
      developer: false,
      renamed: { seed: 'random_seed' },
      strictTurns: true,
      saidTurnsOnly: true,
      callId: MISTRAL_ID,
      // This server refuses any other member with 422.
      only: {
        request: [
          'model',
          'messages',
          'stream',
          'max_tokens',
          'temperature',
          'top_p',
          'stop',
          'random_seed',
          'response_format',
          'tools',
          'tool_choice',
          'parallel_tool_calls',
          'presence_penalty',
          'frequency_penalty',
          'n',
          'prediction',
          'prompt_mode',
          'safe_prompt',
        ],
        message: ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'prefix'],
      },
    },
    bounds: { callId: MISTRAL_ID, user: 0 },
  },
  deepseek: {
    traits: { ...OTHERS, reasoning: 'reasoning_content', reasoningNeeded: true },
    bounds: { stop: 16 },
  },
  openrouter: {
    traits: {
      ...OTHERS,
      developer: true,
      reasoning: 'reasoning',
      reasoningDetails: true,
      cacheControl: true,
    },
  },
  vllm: { traits: { ...OTHERS, reasoning: 'reasoning_content' } },
  sglang: { traits: { ...OTHERS, reasoning: 'reasoning_content' } },
  llamacpp: { traits: { ...OTHERS, reasoning: 'reasoning_content' } },
  lmstudio: { traits: OTHERS },
  ollama: { traits: { ...OTHERS, reasoning: 'reasoning' } },
  litellm: { traits: { ...OTHERS, reasoning: 'reasoning_content', cacheControl: true } },
  groq: { traits: { ...OTHERS, maxTokens: 'max_completion_tokens' } },
  together: { traits: OTHERS },
  fireworks: { traits: { ...OTHERS, reasoning: 'reasoning_content' } },
  cerebras: { traits: { ...OTHERS, maxTokens: 'max_completion_tokens' } },
  xai: { traits: { ...OTHERS, reasoning: 'reasoning_content' } },
  moonshot: { traits: { ...OTHERS, reasoning: 'reasoning_content', reasoningNeeded: true } },
  zai: { traits: { ...OTHERS, reasoning: 'reasoning_content' } },
  dashscope: { traits: { ...OTHERS, reasoning: 'reasoning_content' } },
};

/** OpenAI's API sends no reasoning. A server on another host that has sent some gets it back. */
const OTHER_HOST_TRAITS: ChatTraits = { ...OPENAI_TRAITS, reasoning: 'reasoning_content' };

/** Hosts whose API is OpenAI's own. */
const OPENAI_HOSTS = /(^|\.)(openai\.com|azure\.com|azure\.us|azure\.cn)$/;

/**
 * What a provider's Chat Completions accepts. A provider without `compatible` counts as OpenAI's own, except that on
 * another host it gets its reasoning back.
 */
export function chatTraits(provider: Pick<Provider, 'api' | 'base_url' | 'compatible'>): ChatTraits {
  if (provider.compatible !== undefined) return ROWS[provider.compatible].traits;
  if (provider.api !== 'openai' || OPENAI_HOSTS.test(baseUrl(provider).hostname)) return OPENAI_TRAITS;
  return OTHER_HOST_TRAITS;
}

/** The limits of a provider for a translated request of this dialect. */
export function boundsOf(provider: Pick<Provider, 'compatible'>, dialect: DialectId): Bounds | undefined {
  const bounds = BOUNDS[dialect];
  const row = provider.compatible === undefined ? undefined : ROWS[provider.compatible];
  return bounds === undefined || row?.bounds === undefined ? bounds : { ...bounds, ...row.bounds };
}
