import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/core/message.js';
import type { AnswerCacheSettings } from '../../src/core/settings.js';
import { replayAnswer } from '../../src/pipeline/answer/replay-answer.js';
import { ResponseStage } from '../../src/pipeline/answer/response-stage.js';
import { finish } from '../../src/pipeline/end/finish.js';
import { lookUpAnswer } from '../../src/pipeline/request/look-up-answer.js';
import { receive } from '../../src/pipeline/request/receive.js';
import type { Plugin } from '../../src/plugins/contract/plugin.js';
import {
  completion,
  jsonHead,
  KEY,
  requestBody,
  STREAM_END,
  streamChunk,
  streamHead,
  TestOutlet,
  TestPipeline,
} from '../support/pipeline.js';
import { pluginEntry } from '../support/plugin-host.js';

/*
 * Requests of two projects and their keys in any order, plain and streamed, while guards, masks and the settings of the
 * cache change between them. The model's answer names the request that it is for, so a foreign text is seen at once.
 */

const PROJECTS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
/** What a guard on answers looks for: the model says one of them in each answer. */
const WORDS = ['alpha', 'beta'];

interface Guards {
  /** What answers may not say, and whether such an answer is stopped or its word replaced. */
  words: string[];
  action: 'stop' | 'replace';
  /** Names of people in requests are masked before the model and the cache see them. */
  maskNames: boolean;
}

const NAME = /\b(Ann|Bob)\b/g;

function plugins(guards: () => Guards): Plugin<unknown>[] {
  const mapTexts = (messages: readonly Message[], change: (text: string) => string) =>
    messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.type === 'text' ? { ...part, text: change(part.text) } : part,
      ),
    }));
  const masking: Plugin<unknown> = {
    name: 'masking',
    configSchema: {},
    request: ({ messages }) =>
      guards().maskNames
        ? { action: 'modify', content: mapTexts(messages, (text) => text.replaceAll(NAME, 'PERSON')) }
        : { action: 'pass' },
  };
  const guarding: Plugin<unknown> = {
    name: 'guarding',
    configSchema: {},
    response: ({ choices }) => {
      const { words, action } = guards();
      if (!words.some((word) => JSON.stringify(choices).includes(word))) return { action: 'pass' };
      if (action === 'stop') return { action: 'reject', message: 'No.', code: 'stopped' };
      const clean = (text: string) => words.reduce((left, word) => left.replaceAll(word, '#'), text);
      return {
        action: 'modify',
        content: choices.map((choice) => ({
          ...choice,
          parts: choice.parts.map((part) =>
            part.type === 'text' ? { ...part, text: clean(part.text) } : part,
          ),
        })),
      };
    },
  };
  return [masking, guarding];
}

const request = fc.record({
  project: fc.constantFrom(0, 0, 1),
  key: fc.constantFrom(0, 0, 1),
  name: fc.constantFrom('Ann', 'Bob'),
  question: fc.constantFrom(0, 0, 0, 1),
  word: fc.constantFrom(...WORDS),
  locale: fc.constantFrom('de', 'de', undefined),
  stream: fc.boolean(),
  /** The model breaks off its answer. */
  broken: fc.constantFrom(false, false, false, false, true),
});
type Asked = typeof request extends fc.Arbitrary<infer R> ? R : never;

const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ask: request }) },
  {
    weight: 1,
    arbitrary: fc.record({
      guards: fc.record({
        words: fc.subarray(WORDS),
        action: fc.constantFrom('stop' as const, 'replace' as const),
        maskNames: fc.boolean(),
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      cache: fc.record({
        ttl_s: fc.constantFrom(10, 60),
        scope: fc.constantFrom('key' as const, 'project' as const),
        vary_by: fc.constantFrom<string[]>([], ['locale']),
        coalesce: fc.boolean(),
        shared: fc.constant(false),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ passMs: fc.integer({ min: 1, max: 30_000 }) }) },
);

class World {
  guards: Guards = { words: [], action: 'stop', maskNames: false };
  cache: AnswerCacheSettings = { ttl_s: 60, scope: 'key', vary_by: [], coalesce: true, shared: false };
  readonly pipeline = new TestPipeline({
    plugins: plugins(() => this.guards),
    // What a guard cannot read, such as half an answer, does not pass.
    endpoint: { plugins: ['masking', 'guarding'].map((name) => pluginEntry(name, { on_error: 'reject' })) },
  });
  hits = 0;

  async ask(asked: Asked): Promise<void> {
    const { services } = this.pipeline;
    const endpoint = { ...this.pipeline.endpoint, cache: this.cache };
    const start = this.pipeline.exchange();
    const exchange = this.pipeline.exchange({
      project: {
        ...start.project,
        uid: PROJECTS[asked.project]!,
        endpoints: new Map([[endpoint.name, endpoint]]),
      },
      key: { ...KEY, id: `key-${asked.key}`, managed_by: 'api' },
    });
    const content = `Question ${asked.question} of ${asked.name}`;
    const metadata = asked.locale === undefined ? {} : { locale: asked.locale };
    const body = { messages: [{ role: 'user', content }], metadata, stream: asked.stream };
    await receive(exchange, requestBody(body), services);
    const cached = await lookUpAnswer(exchange, services);
    const outlet = new TestOutlet();
    if (cached === undefined) {
      this.pipeline.attempt(exchange);
      await this.#answer(asked, new ResponseStage(exchange, services, outlet, finish));
    } else {
      this.hits++;
      await replayAnswer(exchange, cached, services, (reply) => outlet.reply(reply), finish);
      // What a guard stops is an error, in JSON.
      const type = asked.stream && outlet.status === 200 ? 'event-stream' : 'json';
      expect(outlet.headers['content-type']).toContain(type);
    }
    expect(exchange.ended).toBe(true);
    this.#check(asked, outlet.text, cached !== undefined);
  }

  async #answer(asked: Asked, stage: ResponseStage): Promise<void> {
    const text = this.#textFor(asked);
    await stage.onHead(asked.stream ? streamHead() : jsonHead());
    if (asked.stream) {
      await stage.onChunk(streamChunk(text.slice(0, 9)));
      if (!asked.broken) await stage.onChunk(streamChunk(text.slice(9), 'stop'));
      if (!asked.broken) await stage.onChunk(STREAM_END);
    } else {
      const whole = completion(text);
      await stage.onChunk(asked.broken ? whole.subarray(0, whole.length / 2) : whole);
    }
    await stage.onEnd();
  }

  /** Whom the model answered, in words that no guard changes. */
  #textFor({ project, key, name, question, word, locale }: Asked): string {
    const shown = this.guards.maskNames ? 'PERSON' : name;
    return `${word} project:${project} key:${key} question:${question} locale:${locale} for:${shown};`;
  }

  #check({ project, key, name, question, locale }: Asked, text: string, isHit: boolean): void {
    const { words, maskNames } = this.guards;
    for (const word of words) expect(text).not.toContain(word);
    const told = (mark: string) =>
      [...text.matchAll(new RegExp(`\\b${mark}:(\\w+)`, 'g'))].map(([, value]) => value);
    const expectOnly = (mark: string, value: unknown) =>
      expect(told(mark).filter((found) => found !== String(value))).toEqual([]);
    expectOnly('project', project);
    expectOnly('question', question);
    expectOnly('for', maskNames ? 'PERSON' : name);
    if (this.cache.scope === 'key') expectOnly('key', key);
    if (this.cache.vary_by.length > 0) expectOnly('locale', locale);
    // Nothing but a whole answer is given again.
    const isStopped = this.guards.action === 'stop' && words.length > 0;
    if (isHit && !isStopped) expect(told('for')).toHaveLength(1);
  }
}

describe('the cache of answers, in any order of requests and changes', () => {
  it('returns no text of another key or project, none that a guard stops today, and no incomplete answer', async () => {
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 60, size: 'max' }), async (events) => {
        const world = new World();
        for (const happening of events) {
          if ('ask' in happening) await world.ask(happening.ask);
          else if ('guards' in happening) world.guards = happening.guards;
          else if ('cache' in happening) world.cache = happening.cache;
          else world.pipeline.clock.pass(happening.passMs);
        }
        hits += world.hits;
      }),
      { numRuns: 60 },
    );
    // So that it shows something.
    expect(hits).toBeGreaterThan(20);
  });
});
