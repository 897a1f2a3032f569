import type { LogRecord, PluginRun } from '../../core/log-record.js';
import type { HostContext, PreparedPlugin } from '../host/prepared-plugin.js';
import type { Caller, TimedCall } from './caller.js';
import { reasonOf } from './fault.js';
import { showTo } from './frozen-copy.js';
import { readNotes, readObject, readTags } from './read-result.js';
import { boundedRun, runRecord } from './run-record.js';

/** Runs the plugins of the log phase, one after the other. Nothing that they do stops anything. */
export async function runLogPhase(
  plugins: readonly PreparedPlugin[],
  context: HostContext,
  record: LogRecord,
  caller: Caller,
): Promise<{ runs: PluginRun[]; addTags: string[] }> {
  const due = plugins.filter((prepared) => prepared.phases.includes('log'));
  const runs: PluginRun[] = [];
  const tags = new Set<string>();
  const content = due.length === 0 ? {} : { record: await showTo(due)(record) };
  for (const prepared of due) {
    const { run, addTags } = judge(prepared, await caller.call(prepared, 'log', context, content));
    if (prepared.entry.mode === 'observe') {
      runs.push(boundedRun({ ...run, observed: true }));
      continue;
    }
    runs.push(boundedRun(run));
    for (const tag of addTags) tags.add(tag);
  }
  return { runs, addTags: [...tags] };
}

function judge(
  prepared: PreparedPlugin,
  { called, durationMs }: TimedCall,
): { run: PluginRun; addTags: string[] } {
  const end = (outcome: 'skipped' | 'error' | 'timeout', reason: string) => ({
    run: runRecord(prepared, 'log', { outcome, durationMs, reason }),
    addTags: [],
  });
  if (called.end === 'gone') return end('skipped', 'it was called off');
  if (called.end !== 'returned') return end(called.end, called.reason);
  try {
    const result = readObject(called.value);
    const addTags = readTags(result.addTags);
    return {
      run: runRecord(prepared, 'log', { outcome: 'passed', durationMs, notes: readNotes(result) }),
      addTags,
    };
  } catch (thrown) {
    return end('error', reasonOf(thrown));
  }
}
