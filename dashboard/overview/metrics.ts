/** What the overview shows of `/metrics`: the spool, and why models were left. */
export interface Gauges {
  spoolRecords: number;
  spoolOldestSeconds: number;
  /** Since the service started, by reason. */
  fallbacks: Map<string, number>;
}

export async function readGauges(signal: AbortSignal): Promise<Gauges> {
  const response = await fetch('/metrics', { signal, cache: 'no-store' });
  return gaugesOf(await response.text());
}

export function gaugesOf(text: string): Gauges {
  const gauges: Gauges = { spoolRecords: 0, spoolOldestSeconds: 0, fallbacks: new Map() };
  for (const line of text.split('\n')) {
    const sample = /^(sluice_\w+)(?:\{(.*)\})? (\S+)/.exec(line);
    if (sample === null) continue;
    const [, name, labels = '', number] = sample;
    const value = Number(number);
    if (Number.isNaN(value)) continue;
    if (name === 'sluice_spool_records') gauges.spoolRecords += value;
    if (name === 'sluice_spool_oldest_seconds')
      gauges.spoolOldestSeconds = Math.max(gauges.spoolOldestSeconds, value);
    const reason = name === 'sluice_fallbacks_total' ? /reason="([^"]*)"/.exec(labels)?.[1] : undefined;
    if (reason !== undefined) gauges.fallbacks.set(reason, (gauges.fallbacks.get(reason) ?? 0) + value);
  }
  return gauges;
}
