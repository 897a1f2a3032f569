import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, type LanguageModel, Output, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Kind, NAMES, startClientsGateway } from '../../clients/gateway.js';
import {
  featureHead,
  featureLines,
  readPage,
  type Seen,
  snippetsOf,
  tableOf,
  withTable,
  writePage,
} from '../../clients/page.js';
import { type Gateway, KEYS, PROJECT } from '../../support/gateway.js';
import { INVALID_MARK, TEXT, WEATHER } from '../../support/scripted-model.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { Wiretap } from '../../support/wiretap.js';

/* Clients for Node as people use them, each feature before each kind of provider; see python.test.ts. */

const ASK = 'Why is the sky blue?';
const ASK_TOOLS = 'What is the weather in Rome and Oslo?';
const ASK_JSON = 'Read this: it is 21 degrees in Rome.';
const Weather = z.object({ city: z.string(), degrees: z.number() });
const KINDS: Kind[] = ['openai', 'anthropic', 'gemini'];
const KINDS_OF_RESPONSES: Kind[] = ['openai', 'chat only', 'anthropic', 'gemini'];

/** Does one thing each for an endpoint, and hands back what the client's user got. */
interface Row {
  row: string;
  kinds: Kind[];
  names: 'plain' | 'claude' | 'gemini';
  /** Why the client cannot do it, by feature. What has a limit must fail, or the limit is gone. */
  limits: Record<string, string>;
  plain(endpoint: string): Promise<string>;
  stream(endpoint: string): Promise<string[]>;
  tools(endpoint: string): Promise<string>;
  structured(endpoint: string): Promise<unknown>;
  /** All states that came, the last of them whole. */
  structured_stream(endpoint: string): Promise<unknown[]>;
}

let gateway: Gateway;
let tap: Wiretap;
const urlOf = (path: string) => `${tap.url}/${PROJECT}/${path}`;
const apiKey = KEYS.all;

async function all<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

function aiRow(
  row: string,
  model: (endpoint: string) => LanguageModel,
  { kinds = KINDS, names = 'plain' }: Partial<Pick<Row, 'kinds' | 'names'>> = {},
): Row {
  const weather = tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `${city}: 21 degrees`,
  });
  const output = Output.object({ schema: Weather });
  return {
    row,
    kinds,
    names,
    limits: {},
    plain: async (endpoint) => (await generateText({ model: model(endpoint), prompt: ASK })).text,
    stream: (endpoint) => all(streamText({ model: model(endpoint), prompt: ASK }).textStream),
    tools: async (endpoint) => {
      const settings = { model: model(endpoint), prompt: ASK_TOOLS, tools: { weather } };
      // Else it names items that only the provider that stored them knows.
      const providerOptions = { openai: { store: false } };
      return (await generateText({ ...settings, providerOptions, stopWhen: stepCountIs(3) })).text;
    },
    structured: async (endpoint) =>
      (await generateText({ model: model(endpoint), prompt: ASK_JSON, output })).output,
    structured_stream: async (endpoint) => {
      const result = streamText({ model: model(endpoint), prompt: ASK_JSON, output });
      return [...(await all(result.partialOutputStream)), await result.output];
    },
  };
}

const NO_ARGUMENTS = 'it does not read the arguments of tools from a stream of Responses';

function langchainRow(row: string, useResponsesApi: boolean): Row {
  const model = (endpoint: string) =>
    new ChatOpenAI({
      model: endpoint,
      apiKey,
      useResponsesApi,
      configuration: { baseURL: urlOf('openai/v1') },
    });
  const reader = (endpoint: string) =>
    model(endpoint).withStructuredOutput(Weather, { method: 'functionCalling', name: 'Weather' });
  return {
    row,
    kinds: useResponsesApi ? KINDS_OF_RESPONSES : KINDS,
    names: 'plain',
    limits: useResponsesApi ? { structured_stream: NO_ARGUMENTS, fallback_stream: NO_ARGUMENTS } : {},
    plain: async (endpoint) => (await model(endpoint).invoke(ASK)).text,
    stream: async (endpoint) => (await all(await model(endpoint).stream(ASK))).map(({ text }) => text),
    tools: async (endpoint) => {
      const parameters = { type: 'object', properties: { city: { type: 'string' } } };
      const bound = model(endpoint).bindTools([
        { type: 'function', function: { name: 'weather', parameters } },
      ]);
      const first = await bound.invoke(ASK_TOOLS);
      const results = (first.tool_calls ?? []).map(({ id, args }) => ({
        role: 'tool' as const,
        tool_call_id: id!,
        content: `${args.city}: 21 degrees`,
      }));
      return (await bound.invoke([{ role: 'user', content: ASK_TOOLS }, first, ...results])).text;
    },
    structured: (endpoint) => reader(endpoint).invoke(ASK_JSON),
    structured_stream: async (endpoint) => all(await reader(endpoint).stream(ASK_JSON)),
  };
}

const claude = (endpoint: string) => createAnthropic({ apiKey, baseURL: urlOf('anthropic/v1') })(endpoint);
const gemini = (endpoint: string) =>
  createGoogleGenerativeAI({ apiKey, baseURL: urlOf('gemini/v1beta') })(endpoint);
const ROWS: Row[] = [
  aiRow('AI SDK, @ai-sdk/openai, Chat', (endpoint) =>
    createOpenAI({ apiKey, baseURL: urlOf('openai/v1') }).chat(endpoint),
  ),
  aiRow(
    'AI SDK, @ai-sdk/openai, Responses',
    (endpoint) => createOpenAI({ apiKey, baseURL: urlOf('openai/v1') }).responses(endpoint),
    { kinds: KINDS_OF_RESPONSES },
  ),
  aiRow('AI SDK, @ai-sdk/anthropic', claude),
  aiRow('AI SDK, @ai-sdk/anthropic, claude-…', claude, { names: 'claude' }),
  aiRow('AI SDK, @ai-sdk/google', gemini),
  aiRow('AI SDK, @ai-sdk/google, gemini-…', gemini, { names: 'gemini' }),
  aiRow('AI SDK, @ai-sdk/openai-compatible', (endpoint) =>
    createOpenAICompatible({
      name: 'sluice',
      apiKey,
      baseURL: urlOf('openai/v1'),
      supportsStructuredOutputs: true,
    })(endpoint),
  ),
  langchainRow('LangChain.js, ChatOpenAI', false),
  langchainRow('LangChain.js, ChatOpenAI, Responses', true),
];

const page = readPage();
const snippets = snippetsOf(page, /^js$/);
const root = fileURLToPath(new URL('../../../', import.meta.url));

describe.skipIf(missingPrograms !== null)('clients for Node', () => {
  const seen: Seen[] = [];

  beforeAll(async () => {
    gateway = await startClientsGateway();
    tap = await Wiretap.open(gateway.sluice.gatewayUrl);
  });
  afterAll(async () => {
    await tap?.close();
    await gateway?.stop();
  });
  beforeEach(() => tap.forget());

  describe.each(ROWS)('$row', (row) => {
    const nameOf = (kind: Kind, which: 0 | 1) => NAMES[row.names]![kind][which];

    async function checkAll(feature: string, check: (kind: Kind) => Promise<void>): Promise<void> {
      for (const kind of row.kinds) {
        let problem: string | null = null;
        await check(kind).catch((error: unknown) => {
          problem = String(error);
        });
        seen.push({ row: row.row, feature, kind, problem, limit: row.limits[feature] ?? null });
      }
      const own = seen.filter((one) => one.row === row.row && one.feature === feature);
      expect(own.filter(({ problem, limit }) => (problem === null) === (limit !== null))).toEqual([]);
    }

    it('is answered', () =>
      checkAll('plain', async (kind) => expect(await row.plain(nameOf(kind, 0))).toBe(TEXT)));

    it('streams', () =>
      checkAll('stream', async (kind) => {
        const pieces = (await row.stream(nameOf(kind, 0))).filter((piece) => piece !== '');
        expect([pieces.join(''), pieces.length > 1]).toEqual([TEXT, true]);
      }));

    it('runs tools', () =>
      checkAll('tools', async (kind) => expect(await row.tools(nameOf(kind, 0))).toBe(TEXT)));

    it('reads structured output', () =>
      checkAll('structured', async (kind) => expect(await row.structured(nameOf(kind, 0))).toEqual(WEATHER)));

    it('reads structured output from a stream', () =>
      checkAll('structured_stream', async (kind) => {
        expect((await row.structured_stream(nameOf(kind, 0))).at(-1)).toEqual(WEATHER);
      }));

    it("gets the next model's output where the first one's is invalid, and nothing of the invalid one", () =>
      checkAll('fallback', async (kind) => {
        expect(await row.structured(nameOf(kind, 1))).toEqual(WEATHER);
        expect(tap.answers).not.toContain(INVALID_MARK);
      }));

    it('gets it streamed too', () =>
      checkAll('fallback_stream', async (kind) => {
        const states = await row.structured_stream(nameOf(kind, 1));
        expect(states.at(-1)).toEqual(WEATHER);
        expect(tap.answers).not.toContain(INVALID_MARK);
      }));
  });

  it.each(Object.keys(snippets))(
    '%s can be used as the page says, and its answers can be rated',
    async (name) => {
      // Where the packages of this checkout are found.
      await mkdir(join(root, 'node_modules', '.cache'), { recursive: true });
      const folder = await mkdtemp(join(root, 'node_modules', '.cache', 'pasted-'));
      try {
        const lines = snippets[name]!.join('\n')
          .replaceAll('http://HOST:8080/PROJECT_UID', `${tap.url}/${PROJECT}`)
          .replaceAll('API_KEY', KEYS.all)
          .replaceAll(/\bsupport\b/g, 'openai')
          .replaceAll('process.stdout.write', 'String');
        const ids = ['logId', 'streamedId'].filter((id) => lines.includes(`const ${id} =`));
        const file = join(folder, 'pasted.mjs');
        await writeFile(file, `${lines}\nexport const ids = [${ids.join(', ')}];\n`);
        const pasted = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { ids: string[] };
        for (const id of pasted.ids) {
          const body = { score: 1, weight: 1 };
          expect((await gateway.call('POST', `/${PROJECT}/feedback/${id}`, { body })).status).toBe(200);
          await expect.poll(async () => (await gateway.log(id)).feedback_count).toBe(1);
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  it('are listed in the table of the page with the results seen here', async () => {
    const table = [...featureHead(), ...featureLines(ROWS, seen)];
    if (process.env.CLIENTS !== 'all') return expect(tableOf(page, 'node')).toEqual(table);
    await writePage(withTable(readPage(), 'node', table));
  });
});
