import { setTimeout as pause } from 'node:timers/promises';
import { urlOf } from '../config/addresses.js';
import { readEnvironment } from '../config/environment.js';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../core/json.js';
import { withInstance } from '../local/processes/instance.js';

export interface ReadLogsOptions {
  /** The UID or name of the project; needed where there are several. */
  project?: string;
  /** The URL of the admin service; by default the one on this machine. */
  url?: string;
  /** The key; by default SLUICE_ADMIN_KEY. */
  key?: string;
  /** How many of the newest logs are printed first. */
  limit?: number;
  /** Whether to print each log as a line of JSON. */
  json?: boolean;
  write?: (line: string) => void;
  signal?: AbortSignal;
}

const TELL_MS = 1_000;
/** A log that landed late may be older by this much than one that was printed. */
const LATE_MS = 60_000;
/** At most so many pages are read to learn which logs were there before. */
const MOST_PAGES = 50;

/** Prints all of one log. */
export async function getLog(id: string, options: ReadLogsOptions): Promise<number> {
  return await answered(async () => {
    const admin = adminOf(options);
    const project = await projectOf(admin, options.project);
    const log = await admin.ask(`/${project}/logs/${encodeURIComponent(id)}`);
    (options.write ?? console.log)(JSON.stringify(log, null, 2));
  });
}

/** Prints a line for each log: first the newest existing ones, then each that arrives, until the command is ended. */
export async function tailLogs({ limit = 10, ...options }: ReadLogsOptions): Promise<number> {
  const { write = console.log, json = false, signal } = options;
  return await answered(async () => {
    const admin = adminOf(options);
    const project = await projectOf(admin, options.project);
    const print = (log: JsonObject) => write(json ? JSON.stringify(log) : lineOf(log));
    const shown = rowsOf(await admin.ask(`/${project}/logs?limit=${limit}`));
    shown.toReversed().forEach(print);
    let newest = timeOf(shown[0]);
    const known = new Map<JsonValue, number>();
    const learn = (logs: JsonObject[]) => {
      for (const log of logs) known.set(log.id!, timeOf(log));
    };
    const isNew = ({ id }: JsonObject) => !known.has(id!);
    learn(shown);
    // Logs that were there before, and that nobody wanted to see, must not look like new ones.
    const before = await logsSince(admin, project, newest - LATE_MS, () => true);
    learn(before.filter((log) => timeOf(log) <= newest));
    while (signal?.aborted !== true) {
      const recent = (await logsSince(admin, project, newest - LATE_MS, isNew)).filter(isNew);
      recent.toReversed().forEach(print);
      learn(recent);
      newest = Math.max(newest, ...recent.slice(0, 1).map(timeOf));
      for (const [id, time] of known) if (time < newest - LATE_MS) known.delete(id);
      await pause(TELL_MS, undefined, { signal }).catch(() => {});
    }
  });
}

/** The logs since a moment, newest first, page by page until a page has none that is wanted. */
async function logsSince(
  admin: Admin,
  project: string,
  since: number,
  isWanted: (log: JsonObject) => boolean,
): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  const query = new URLSearchParams({ limit: '200', from: new Date(since).toISOString() });
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await admin.ask(`/${project}/logs?${query}`);
    const rows = rowsOf(answer);
    found.push(...rows);
    const next = isJsonObject(answer) ? answer.next_cursor : null;
    if (typeof next !== 'string' || !rows.some(isWanted)) break;
    query.set('cursor', next);
  }
  return found;
}

/** When a log came; without one, now. */
function timeOf(log: JsonObject | undefined): number {
  return typeof log?.created_at === 'string' ? Date.parse(log.created_at) : Date.now();
}

/** An error whose message is for whoever typed the command. */
class Refused extends Error {}

async function answered(work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(error.message);
    return 1;
  }
}

const NO_KEY =
  'Set SLUICE_ADMIN_KEY to a key that may read logs. Beside `npm start`, set SLUICE_DATA_DIR to its data directory instead.';

interface Admin {
  ask(path: string): Promise<JsonValue>;
}

function adminOf({ url, key }: ReadLogsOptions): Admin {
  const result = readEnvironment(withInstance(process.env));
  if ('mistakes' in result) throw new Refused(result.mistakes.join('\n'));
  const { adminHost, adminPort, adminKey } = result.environment;
  const base = (url ?? urlOf(adminHost, adminPort)).replace(/\/+$/, '');
  const used = key?.trim() ?? adminKey?.reveal();
  if (used === undefined) throw new Refused(NO_KEY);
  const headers = { authorization: `Bearer ${used}` };
  return {
    async ask(path) {
      const response = await fetch(`${base}${path}`, { headers }).catch((error: Error) => {
        const why = error.cause instanceof Error ? error.cause.message : error.message;
        throw new Refused(
          `${base} does not answer: ${why}. Set SLUICE_ADMIN_PORT, or --url, to the admin service.`,
        );
      });
      const body = parseJson(await response.text());
      if (response.ok && body !== undefined) return body;
      const said = isJsonObject(body) && isJsonObject(body.error) ? body.error.message : undefined;
      throw new Refused(typeof said === 'string' ? said : `${base}${path} answered ${response.status}.`);
    },
  };
}

async function projectOf(admin: Admin, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined && /^[0-9a-f-]{36}$/i.test(wanted)) return wanted;
  const projects = rowsOf(await admin.ask('/api/projects?limit=200'));
  const fitting = wanted === undefined ? projects : projects.filter(({ name }) => name === wanted);
  const [one, other] = fitting;
  if (one !== undefined && other === undefined) return String(one.uid);
  const names = projects.map(({ uid, name }) => `  ${uid}  ${name}`).join('\n');
  throw new Refused(`Say which project with --project:\n${names}`);
}

function rowsOf(page: JsonValue): JsonObject[] {
  return isJsonObject(page) && Array.isArray(page.data) ? page.data.filter(isJsonObject) : [];
}

function lineOf(log: JsonObject): string {
  const { created_at, id, endpoint, status, timing, cost, preview, error } = log;
  const took =
    isJsonObject(timing) && typeof timing.total_ms === 'number' ? Math.round(timing.total_ms) : '-';
  const price = typeof cost === 'number' ? `$${cost.toPrecision(3)}` : '-';
  const { input, output } = isJsonObject(preview) ? preview : {};
  // Where there is no answer, the code of the error is shown.
  const ended = output ?? (isJsonObject(error) ? error.code : undefined);
  const words = [input, ended].map(shortened).join(' → ');
  return `${created_at}  ${id}  ${endpoint ?? '-'}  ${status}  ${modelOf(log)}  ${took} ms  ${price}  ${words}`;
}

/** The model that answered, or the one that was tried last. */
function modelOf({ model, attempts }: JsonObject): string {
  if (typeof model === 'string') return model;
  const last = Array.isArray(attempts) ? attempts.at(-1) : undefined;
  return isJsonObject(last) ? `${last.provider}/${last.model}` : '-';
}

function shortened(text: JsonValue | undefined): string {
  return typeof text === 'string' ? text.slice(0, 80) : '-';
}
