import type { GuardDecision } from '../admin/dependencies.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import { isJsonObject } from '../core/json.js';
import type { LogRecord, PluginRun } from '../core/log-record.js';
import { runSteps } from '../core/pacing/steps.js';
import { dialectById } from '../dialects/index.js';
import type { HostContext, PluginHost, PreparedPlugin } from '../plugins/runtime/host.js';
import { type Asked, runGuards } from './guard-check.js';

/** A stored exchange on which the guards would decide differently now. */
export interface GuardDifference {
  log_id: string;
  phase: 'request' | 'response';
  before: GuardDecision['decision'];
  after: GuardDecision['decision'];
  /** Additional findings by type, compared with the log. */
  new_findings: Record<string, number>;
}

export interface GuardReplay {
  logs: number;
  /** Logs without content, or with content that cannot be read. */
  unreadable: number;
  new_rejections: number;
  new_findings: Record<string, number>;
  /** Milliseconds that the guards took per log. */
  ms: { median: number; p99: number; most: number };
}

/**
 * Runs guards over stored exchanges. In a masked log, the masked values are not found again. Reports each difference
 * as it is found. Plugins that observe are judged as if they were enforced.
 */
export async function replayGuards(
  host: PluginHost,
  plugins: readonly PreparedPlugin[],
  logs: AsyncIterable<LogRecord>,
  report: (difference: GuardDifference) => void,
): Promise<GuardReplay> {
  const sum: GuardReplay = {
    logs: 0,
    unreadable: 0,
    new_rejections: 0,
    new_findings: {},
    ms: { median: 0, p99: 0, most: 0 },
  };
  const times: number[] = [];
  const due = plugins
    .filter(({ entry }) => entry.mode !== 'off')
    .map((plugin) => ({ ...plugin, entry: { ...plugin.entry, mode: 'enforce' as const } }));
  for await (const log of logs) {
    sum.logs++;
    const asked = await readLog(log);
    if (asked === undefined) {
      sum.unreadable++;
      continue;
    }
    let ms = 0;
    for (const { phase, ask } of asked) {
      const { decision, plugin_runs: runs } = await runGuards(host, due, log.endpoint ?? '', ask);
      ms += runs.reduce((total, run) => total + run.duration_ms, 0);
      const difference = compare(log, phase, decision, runs);
      if (difference !== undefined) {
        if (difference.after === 'reject' && difference.before !== 'reject') sum.new_rejections++;
        for (const [type, count] of Object.entries(difference.new_findings)) {
          sum.new_findings[type] = (sum.new_findings[type] ?? 0) + count;
        }
        report(difference);
      }
      // A rejected request has no answer.
      if (decision === 'reject') break;
    }
    times.push(ms);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => {
    const ms = times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    return Number(ms.toFixed(3));
  };
  sum.ms = { median: at(0.5), p99: at(0.99), most: at(1) };
  return sum;
}

const STRICTNESS = { pass: 0, modify: 1, reject: 2 };

/** The content of a log by the phases that can be replayed; undefined where it cannot be read. */
async function readLog(log: LogRecord): Promise<{ phase: 'request' | 'response'; ask: Asked }[] | undefined> {
  const { request, response } = log;
  if (!isJsonObject(request)) return undefined;
  const dialect = dialectById(log.api);
  try {
    const document = { text: JSON.stringify(request), value: request as JsonObject };
    const messages = await runSteps(dialect.readMessages(document));
    const asked: { phase: 'request' | 'response'; ask: Asked }[] = [
      {
        phase: 'request',
        ask: async (host: PluginHost, plugins: readonly PreparedPlugin[], context: HostContext) => {
          const outcome = await host.runRequest(plugins, context, messages, document.value);
          return { ...outcome, messages: () => [] };
        },
      },
    ];
    const answer =
      log.status === 'success' ? await runSteps(dialect.readAnswer(response as JsonValue)) : undefined;
    if (answer !== undefined) {
      asked.push({
        phase: 'response',
        ask: async (host, plugins, context) => {
          const outcome = await host.runResponse(plugins, context, answer.choices, messages, document.value);
          return { ...outcome, messages: () => [] };
        },
      });
    }
    return asked;
  } catch {
    return undefined;
  }
}

function compare(
  log: LogRecord,
  phase: 'request' | 'response',
  after: GuardDecision['decision'],
  runs: readonly PluginRun[],
): GuardDifference | undefined {
  const then = log.plugin_runs.filter((run) => run.phase === phase && !run.observed);
  const before = then.some(({ outcome }) => outcome === 'rejected')
    ? 'reject'
    : then.some(({ outcome }) => outcome === 'modified')
      ? 'modify'
      : 'pass';
  const known = countFindings(then);
  const more = Object.entries(countFindings(runs))
    .map(([type, count]): [string, number] => [type, count - (known[type] ?? 0)])
    .filter(([, count]) => count > 0);
  // The log has the masked content, so only stricter decisions can be noticed.
  if (STRICTNESS[after] <= STRICTNESS[before] && more.length === 0) return undefined;
  return { log_id: log._id, phase, before, after, new_findings: Object.fromEntries(more) };
}

function countFindings(runs: readonly PluginRun[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of runs.flatMap(({ findings }) => findings)) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
