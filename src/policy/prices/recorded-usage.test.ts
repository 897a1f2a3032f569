import { describe, expect, it } from 'vitest';
import type { DialectId } from '../../core/dialect-ids.js';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { Price } from '../../core/settings.js';
import { dialectById } from '../../dialects/index.js';
import { toLogUsage } from '../../pipeline/attempt/log-usage.js';
import { AnswerBuilder } from '../../pipeline/attempt/read/answer-builder.js';
import { costOf } from './cost.js';

/*
 * What providers tell of tokens, in their own words, and what it costs. Each sum in `cost` was done by hand from the
 * price list of the day: tokens × dollars for a million, one term for each kind of token.
 */

const SONNET: Price = {
  input_per_mtok: 3,
  output_per_mtok: 15,
  cached_input_per_mtok: 0.3,
  cache_write_per_mtok: 3.75,
  cache_write_1h_per_mtok: 6,
  long_context: [
    { above_input_tokens: 200_000, input_per_mtok: 6, output_per_mtok: 22.5, cached_input_per_mtok: 0.6 },
  ],
  tiers: { batch: { input_per_mtok: 1.5, output_per_mtok: 7.5 } },
};
const GPT: Price = {
  input_per_mtok: 1.25,
  output_per_mtok: 10,
  cached_input_per_mtok: 0.125,
  tiers: {
    flex: { input_per_mtok: 0.625, output_per_mtok: 5, cached_input_per_mtok: 0.0625 },
    priority: { input_per_mtok: 2.5, output_per_mtok: 20 },
  },
};
const GPT_AUDIO: Price = {
  input_per_mtok: 2.5,
  output_per_mtok: 10,
  audio_input_per_mtok: 40,
  audio_output_per_mtok: 80,
};
const FLASH: Price = {
  input_per_mtok: 0.3,
  output_per_mtok: 2.5,
  cached_input_per_mtok: 0.03,
  cached_audio_input_per_mtok: 0.1,
  audio_input_per_mtok: 1,
};
const PRO: Price = {
  input_per_mtok: 1.25,
  output_per_mtok: 10,
  cached_input_per_mtok: 0.125,
  long_context: [
    { above_input_tokens: 200_000, input_per_mtok: 2.5, output_per_mtok: 15, cached_input_per_mtok: 0.25 },
  ],
};
const DEEPSEEK: Price = { input_per_mtok: 0.28, output_per_mtok: 0.42, cached_input_per_mtok: 0.028 };

interface Row {
  told: string;
  dialect: DialectId;
  price: Price;
  usage: JsonObject;
  /** Beside the usage in the answer. */
  beside?: JsonObject;
  tokens: object;
  tier?: string;
  /** Dollars for a million of these: tokens × price, added up. */
  cost: number;
}

const ROWS: Row[] = [
  {
    told: 'OpenAI: cached input and reasoning',
    dialect: 'openai.chat',
    price: GPT,
    usage: {
      prompt_tokens: 2_006,
      completion_tokens: 300,
      total_tokens: 2_306,
      prompt_tokens_details: { cached_tokens: 1_920, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 192,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    beside: { service_tier: 'default' },
    tokens: { input_tokens: 2_006, output_tokens: 300, cached_input_tokens: 1_920, reasoning_tokens: 192 },
    tier: 'default',
    cost: 86 * 1.25 + 1_920 * 0.125 + 300 * 10,
  },
  {
    told: 'OpenAI: the tier flex',
    dialect: 'openai.chat',
    price: GPT,
    usage: {
      prompt_tokens: 1_000,
      completion_tokens: 100,
      prompt_tokens_details: { cached_tokens: 400 },
    },
    beside: { service_tier: 'flex' },
    tokens: { input_tokens: 1_000, output_tokens: 100, cached_input_tokens: 400 },
    tier: 'flex',
    cost: 600 * 0.625 + 400 * 0.0625 + 100 * 5,
  },
  {
    told: 'OpenAI: the tier priority, which does not price cached input',
    dialect: 'openai.responses',
    price: GPT,
    usage: {
      input_tokens: 1_000,
      input_tokens_details: { cached_tokens: 400 },
      output_tokens: 100,
      output_tokens_details: { reasoning_tokens: 64 },
      total_tokens: 1_100,
    },
    beside: { service_tier: 'priority' },
    tokens: { input_tokens: 1_000, output_tokens: 100, cached_input_tokens: 400, reasoning_tokens: 64 },
    tier: 'priority',
    cost: 600 * 2.5 + 400 * 0.125 + 100 * 20,
  },
  {
    told: 'OpenAI: audio in and out',
    dialect: 'openai.chat',
    price: GPT_AUDIO,
    usage: {
      prompt_tokens: 150,
      completion_tokens: 260,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 110, text_tokens: 40, image_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 200, text_tokens: 60 },
    },
    tokens: { input_tokens: 150, output_tokens: 260, audio_input_tokens: 110, audio_output_tokens: 200 },
    cost: 40 * 2.5 + 110 * 40 + 60 * 10 + 200 * 80,
  },
  {
    told: 'DeepSeek: hits of its cache beside the details',
    dialect: 'openai.chat',
    price: DEEPSEEK,
    usage: {
      prompt_tokens: 5_000,
      completion_tokens: 200,
      prompt_cache_hit_tokens: 4_800,
      prompt_cache_miss_tokens: 200,
    },
    tokens: { input_tokens: 5_000, output_tokens: 200, cached_input_tokens: 4_800 },
    cost: 200 * 0.28 + 4_800 * 0.028 + 200 * 0.42,
  },
  {
    told: 'Anthropic: cache writes of both durations and reads, beside the input',
    dialect: 'anthropic.messages',
    price: SONNET,
    usage: {
      input_tokens: 50,
      cache_creation_input_tokens: 3_000,
      cache_read_input_tokens: 20_000,
      cache_creation: { ephemeral_5m_input_tokens: 1_000, ephemeral_1h_input_tokens: 2_000 },
      output_tokens: 700,
      service_tier: 'standard',
    },
    tokens: {
      input_tokens: 23_050,
      output_tokens: 700,
      cached_input_tokens: 20_000,
      cache_creation_input_tokens: 3_000,
      cache_creation_1h_input_tokens: 2_000,
    },
    tier: 'standard',
    cost: 50 * 3 + 20_000 * 0.3 + 1_000 * 3.75 + 2_000 * 6 + 700 * 15,
  },
  {
    told: 'Anthropic: a long context, where what is cached counts towards its length',
    dialect: 'anthropic.messages',
    price: SONNET,
    usage: {
      input_tokens: 1_001,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 199_000,
      output_tokens: 10,
      service_tier: 'standard',
    },
    tokens: {
      input_tokens: 200_001,
      output_tokens: 10,
      cached_input_tokens: 199_000,
      cache_creation_input_tokens: 0,
    },
    tier: 'standard',
    cost: 1_001 * 6 + 199_000 * 0.6 + 10 * 22.5,
  },
  {
    told: 'Anthropic: the tier batch',
    dialect: 'anthropic.messages',
    price: SONNET,
    usage: { input_tokens: 100, output_tokens: 10, service_tier: 'batch' },
    tokens: { input_tokens: 100, output_tokens: 10 },
    tier: 'batch',
    cost: 100 * 1.5 + 10 * 7.5,
  },
  {
    told: 'Gemini: thoughts and cached content',
    dialect: 'gemini.generate',
    price: PRO,
    usage: {
      promptTokenCount: 10_000,
      cachedContentTokenCount: 8_000,
      candidatesTokenCount: 100,
      thoughtsTokenCount: 400,
      totalTokenCount: 10_500,
    },
    tokens: { input_tokens: 10_000, output_tokens: 500, cached_input_tokens: 8_000, reasoning_tokens: 400 },
    cost: 2_000 * 1.25 + 8_000 * 0.125 + 500 * 10,
  },
  {
    told: 'Gemini: a long context',
    dialect: 'gemini.generate',
    price: PRO,
    usage: { promptTokenCount: 250_000, candidatesTokenCount: 100, totalTokenCount: 250_100 },
    tokens: { input_tokens: 250_000, output_tokens: 100 },
    cost: 250_000 * 2.5 + 100 * 15,
  },
  {
    told: 'Gemini: audio, some of it cached',
    dialect: 'gemini.generate',
    price: FLASH,
    usage: {
      promptTokenCount: 1_500,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 500 },
        { modality: 'AUDIO', tokenCount: 1_000 },
      ],
      cachedContentTokenCount: 700,
      cacheTokensDetails: [
        { modality: 'TEXT', tokenCount: 100 },
        { modality: 'AUDIO', tokenCount: 600 },
      ],
      candidatesTokenCount: 20,
    },
    tokens: {
      input_tokens: 1_500,
      output_tokens: 20,
      cached_input_tokens: 700,
      cached_audio_input_tokens: 600,
      audio_input_tokens: 1_000,
    },
    cost: 400 * 0.3 + 100 * 0.03 + 400 * 1 + 600 * 0.1 + 20 * 2.5,
  },
];

describe('the cost of the usage that a provider reported', () => {
  it.each(ROWS)('$told, in an answer', ({ dialect, usage, beside, price, tokens, tier, cost }) => {
    const answer = atOnce(dialectById(dialect).readAnswer(answerOf(dialect, usage, beside)));
    const told = toLogUsage(answer?.usage);
    expect(told.usage).toMatchObject(tokens);
    expect(told.service_tier).toBe(tier);
    expect(costOf(told.usage, price, told.service_tier)).toBeCloseTo(cost / 1_000_000, 12);
  });

  it.each(ROWS)('$told, in a stream', ({ dialect, usage, beside, price, tokens, tier, cost }) => {
    const builder = new AnswerBuilder();
    const decoder = dialectById(dialect).createDecoder();
    for (const [event, value] of framesOf(dialect, usage, beside)) {
      for (const read of decoder.decode({ event, data: JSON.stringify(value) } as never)) builder.add(read);
    }
    const told = toLogUsage(builder.usage);
    expect(told.usage).toMatchObject(tokens);
    expect(told.service_tier).toBe(tier);
    expect(costOf(told.usage, price, told.service_tier)).toBeCloseTo(cost / 1_000_000, 12);
  });

  it('of embeddings is that of their input', () => {
    const body = {
      object: 'list',
      data: [],
      model: 'm',
      usage: { prompt_tokens: 8_000, total_tokens: 8_000 },
    };
    const answer = atOnce(dialectById('openai.embeddings').readAnswer(body));
    const price = { input_per_mtok: 0.02, output_per_mtok: 0 };
    expect(costOf(toLogUsage(answer?.usage).usage, price)).toBeCloseTo(0.00016, 12);
  });
});

function answerOf(dialect: DialectId, usage: JsonObject, beside: JsonObject = {}): JsonObject {
  switch (dialect) {
    case 'openai.chat':
      return { id: 'a', choices: [{ message: { role: 'assistant', content: 'x' } }], usage, ...beside };
    case 'openai.responses':
      return { object: 'response', id: 'a', status: 'completed', output: [], usage, ...beside };
    case 'anthropic.messages':
      return { type: 'message', id: 'a', content: [], stop_reason: 'end_turn', usage };
    default:
      return {
        candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
        usageMetadata: usage,
      };
  }
}

/** As the providers spread it over a stream: Anthropic tells the output last, and the rest first. */
function framesOf(
  dialect: DialectId,
  usage: JsonObject,
  beside: JsonObject = {},
): [string | undefined, JsonObject][] {
  switch (dialect) {
    case 'openai.chat':
      return [
        [undefined, { id: 'a', choices: [{ index: 0, delta: { content: 'x' } }], usage: null, ...beside }],
        [undefined, { id: 'a', choices: [], usage, ...beside }],
      ];
    case 'openai.responses': {
      const response = { object: 'response', id: 'a', status: 'completed', output: [], usage, ...beside };
      return [['response.completed', { type: 'response.completed', response }]];
    }
    case 'anthropic.messages':
      return [
        [
          'message_start',
          { type: 'message_start', message: { id: 'a', usage: { ...usage, output_tokens: 1 } } },
        ],
        [
          'message_delta',
          {
            type: 'message_delta',
            delta: { stop_reason: 'end_turn' },
            usage: { output_tokens: usage.output_tokens! },
          },
        ],
      ];
    default:
      return [[undefined, answerOf(dialect, usage)]];
  }
}
