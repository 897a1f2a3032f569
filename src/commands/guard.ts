import { pino } from 'pino';
import type { GuardQuestion } from '../admin/dependencies.js';
import { detailsOf } from '../admin/http/error-details.js';
import { compileValidator } from '../admin/http/validation.js';
import { bodyFilterSchema, readBodyFilter } from '../admin/schemas/log-filter.js';
import { checkGuards } from '../app/guard-check.js';
import { replayGuards } from '../app/guard-replay.js';
import { mongodbUriOf } from '../config/addresses.js';
import type { Config, FileProject } from '../config/config.js';
import { isJsonObject, type JsonValue } from '../core/json.js';
import type { LogRecord } from '../core/log-record.js';
import type { Endpoint } from '../core/settings.js';
import { withInstance } from '../local/processes/instance.js';
import type { PluginHost, PreparedPlugin } from '../plugins/runtime/host.js';
import type { WalkedLog } from '../store/logs/log-walk.js';
import type { LogFilter } from '../store/logs/search/log-filter.js';
import { connectStore } from '../store/store.js';
import { type Configuration, readConfiguration } from './configuration.js';
import { linesIn } from './pii/lines-in.js';

interface GuardOptions {
  config?: string;
  endpoint: string;
  project?: string;
}

export interface GuardTryOptions extends GuardOptions {
  phase?: 'request' | 'response';
}

export interface GuardReplayOptions extends GuardOptions {
  filter?: string;
  limit: number;
}

/** The endpoint, with its guards prepared. */
interface Guarded {
  configuration: Configuration;
  host: PluginHost;
  project: FileProject;
  endpoint: Endpoint;
  plugins: readonly PreparedPlugin[];
}

/**
 * Asks the guards of an endpoint about each line of standard input: a list of messages, an object with `messages` or
 * `text`, or a text. Prints the decisions as JSON lines. Returns 1 where a line could not be checked.
 */
export function guardTry(options: GuardTryOptions): Promise<number> {
  const { phase } = options;
  return withGuards(options, ({ host, plugins, endpoint }) =>
    answerLines(async (line) => {
      const { id, ...asked } = readQuestion(line);
      const question = { ...asked, ...(phase === undefined ? {} : { phase }) };
      const decision = await checkGuards(host, plugins, endpoint.name, question);
      return id === undefined ? decision : { id, ...decision };
    }),
  );
}

/**
 * Runs the guards of the file over the endpoint's stored logs, newest first, because recent traffic matters more.
 * Prints the differences as JSON lines and a summary as the last one.
 */
export function guardReplay(options: GuardReplayOptions): Promise<number> {
  return withGuards(options, async ({ configuration, host, plugins, project, endpoint }) => {
    const filter = { endpoint: [endpoint.name], ...readFilter(options.filter) };
    const uri = mongodbUriOf(configuration.environment);
    const store = connectStore({ uri, logger: pino({ name: 'sluice' }, pino.destination(2)) });
    try {
      const logs = firstOf(store.walk.logs(project.uid, filter, 'newest'), options.limit);
      write(await replayGuards(host, plugins, logs, write));
      return 0;
    } finally {
      await store.close();
    }
  });
}

/** Prints what is wrong with the options or the file on standard error, and returns 1. */
async function withGuards(
  options: GuardOptions,
  run: (guarded: Guarded) => Promise<number>,
): Promise<number> {
  const env = withInstance(process.env, options.config);
  const configuration = await readConfiguration({ env, keys: 'unread' });
  if (configuration === undefined) return 1;
  const host = configuration.plugins();
  try {
    const { project, endpoint } = findEndpoint(configuration.config, options);
    const prepared = host.prepare(endpoint.plugins);
    if ('mistakes' in prepared) throw new Error(`The plugins of "${endpoint.name}" cannot be prepared.`);
    return await run({ configuration, host, project, endpoint, plugins: prepared.plugins });
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  } finally {
    await host.close();
  }
}

function findEndpoint(
  { projects }: Config,
  options: GuardOptions,
): { project: FileProject; endpoint: Endpoint } {
  const { endpoint: wanted, project: named } = options;
  const found = projects
    .filter(({ uid, name }) => named === undefined || named.toLowerCase() === uid || named === name)
    .flatMap((project) => project.endpoints.map((endpoint) => ({ project, endpoint })))
    .filter(({ endpoint }) => endpoint.name === wanted);
  if (found.length === 1) return found[0]!;
  throw new Error(
    found.length === 0
      ? `The file has no endpoint "${wanted}"${named === undefined ? '' : ` in a project "${named}"`}.`
      : `Several projects have an endpoint "${wanted}": name one with --project.`,
  );
}

async function answerLines(ask: (line: string) => Promise<object>): Promise<number> {
  let code = 0;
  let number = 0;
  for await (const lines of linesIn(process.stdin)) {
    for (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      try {
        // The byte order mark that Windows writes at the start of a file is not part of its text.
        write(await ask(line.replace(/^\uFEFF/, '')));
      } catch (error) {
        console.error(`line ${number}: ${(error as Error).message}`);
        code = 1;
      }
    }
  }
  return code;
}

/** Reads one line of input. The `id` of an input object is copied to its decision. */
function readQuestion(line: string): Pick<GuardQuestion, 'messages' | 'text'> & { id?: JsonValue } {
  const value = JSON.parse(line) as JsonValue;
  if (typeof value === 'string') return { text: value };
  if (Array.isArray(value)) return { messages: value };
  if (isJsonObject(value)) {
    const { id, messages, text } = value;
    if (Array.isArray(messages) && text === undefined) return { id, messages };
    if (typeof text === 'string' && messages === undefined) return { id, text };
  }
  throw new Error('expected a list of messages, an object with "messages" or "text", or a text');
}

/** Reads a filter that is written like those in bodies of the API. */
function readFilter(text: string | undefined): LogFilter {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`--filter is not JSON: ${(error as Error).message}`);
  }
  const validate = compileValidator({ schema: bodyFilterSchema, method: 'POST', url: '', httpPart: 'body' });
  if (!validate(value)) {
    const details = detailsOf(validate.errors ?? [], 'filter');
    throw new Error(`--filter: ${details.map(({ path, message }) => `${path} ${message}`).join('; ')}`);
  }
  return readBodyFilter(value as Parameters<typeof readBodyFilter>[0]);
}

async function* firstOf(logs: AsyncIterable<WalkedLog>, most: number): AsyncGenerator<LogRecord> {
  let count = 0;
  for await (const { record } of logs) {
    if (count++ >= most) return;
    yield record;
  }
}

function write(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
