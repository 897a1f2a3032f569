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
    const printed = new Set<JsonValue>();
    let query = `limit=${limit}`;
    while (signal?.aborted !== true) {
      const logs = rowsOf(await admin.ask(`/${project}/logs?${query}`)).toReversed();
      for (const log of logs) {
        if (printed.has(log.id!)) continue;
        printed.add(log.id!);
        write(json ? JSON.stringify(log) : lineOf(log));
      }
      const newest = logs.at(-1)?.created_at;
      // A log that arrived late may be older than one that was printed.
      if (typeof newest === 'string') {
        const from = new Date(Date.parse(newest) - 60_000).toISOString();
        query = `limit=200&from=${encodeURIComponent(from)}`;
      }
      await pause(TELL_MS, undefined, { signal }).catch(() => {});
    }
  });
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

interface Admin {
  ask(path: string): Promise<JsonValue>;
}

function adminOf({ url, key }: ReadLogsOptions): Admin {
  const result = readEnvironment(withInstance(process.env));
  if ('mistakes' in result) throw new Refused(result.mistakes.join('\n'));
  const { adminHost, adminPort, adminKey } = result.environment;
  const base = (url ?? urlOf(adminHost, adminPort)).replace(/\/+$/, '');
  const used = key?.trim() ?? adminKey?.reveal();
  if (used === undefined) throw new Refused('Set SLUICE_ADMIN_KEY to a key that may read logs.');
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
  const { created_at, id, endpoint, status, model, timing, cost, preview, error } = log;
  const took =
    isJsonObject(timing) && typeof timing.total_ms === 'number' ? Math.round(timing.total_ms) : '-';
  const price = typeof cost === 'number' ? `$${cost.toPrecision(3)}` : '-';
  const { input, output } = isJsonObject(preview) ? preview : {};
  // Where there is no answer, the code of the error is shown.
  const ended = output ?? (isJsonObject(error) ? error.code : undefined);
  const words = [input, ended].map(shortened).join(' → ');
  return `${created_at}  ${id}  ${endpoint ?? '-'}  ${status}  ${model ?? '-'}  ${took} ms  ${price}  ${words}`;
}

function shortened(text: JsonValue | undefined): string {
  return typeof text === 'string' ? text.slice(0, 80) : '-';
}
