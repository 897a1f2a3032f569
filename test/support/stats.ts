import { v4 } from 'uuid';
import type { LogRecord, PluginRun } from '../../src/core/log-record.js';
import { type AdminApi, type Answer, KEYS } from './admin-api.js';
import { logRecord } from './log-record.js';

/** A moment of March 2026, such as `02T10:00:00`. */
export const at = (time: string) => new Date(`2026-03-${time}Z`);
export const MARCH = 'from=2026-03-01&to=2026-04-01';

export const run = (changes: Partial<PluginRun>): PluginRun => ({
  plugin: 'pii_detection',
  phase: 'request',
  outcome: 'passed',
  duration_ms: 2,
  findings: [],
  ...changes,
});

/** A project of its own, with the counts of its logs. */
export class CountedProject {
  readonly uid = v4();

  constructor(readonly api: AdminApi) {}

  record(changes: Partial<LogRecord>): LogRecord {
    return logRecord({ project_uid: this.uid, ...changes });
  }

  async land(...changes: Partial<LogRecord>[]): Promise<LogRecord[]> {
    const records = changes.map((one) => this.record(one));
    await this.api.store.logs.insertMany(records);
    return records;
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.api.call(method, `/${this.uid}/${path}`, { key: KEYS.admin, body });
  }

  ask(query: string): Promise<Answer> {
    return this.call('GET', `stats?${query}`);
  }

  /** The rows of March. */
  async stats(query = ''): Promise<Answer['json']> {
    return (await this.ask(`${MARCH}&${query}`)).json.data;
  }
}

/** Only these members of each row. */
export function pick(rows: Record<string, unknown>[], ...names: string[]): unknown[][] {
  return rows.map((row) => names.map((name) => row[name]));
}
