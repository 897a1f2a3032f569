/** The figures of the spool that the overview reads from `/metrics`. */
export interface Gauges {
  spoolRecords: number;
  spoolOldestSeconds: number;
}

export async function readGauges(signal: AbortSignal): Promise<Gauges> {
  const response = await fetch('/metrics', { signal, cache: 'no-store' });
  return gaugesOf(await response.text());
}

export function gaugesOf(text: string): Gauges {
  const gauges: Gauges = { spoolRecords: 0, spoolOldestSeconds: 0 };
  for (const line of text.split('\n')) {
    const sample = /^(sluice_\w+)(?:\{.*\})? (\S+)/.exec(line);
    if (sample === null) continue;
    const [, name, number] = sample;
    const value = Number(number);
    if (Number.isNaN(value)) continue;
    if (name === 'sluice_spool_records') gauges.spoolRecords += value;
    if (name === 'sluice_spool_oldest_seconds')
      gauges.spoolOldestSeconds = Math.max(gauges.spoolOldestSeconds, value);
  }
  return gauges;
}
