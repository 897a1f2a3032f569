import { useLoad } from '../app/load.ts';
import { formatCount, formatDuration, plural } from '../ui/format.ts';
import { readGauges } from './metrics.ts';
import { useAgain } from './use-again.ts';

/** The spool, and why models were left since the service started. */
export function GaugeLine({ now }: { now: number }) {
  const gauges = useLoad('gauges', readGauges);
  useAgain(now, gauges.reload);
  if (gauges.data === undefined) return null;
  const { spoolRecords, spoolOldestSeconds, fallbacks } = gauges.data;
  return (
    <p class="muted">
      Spool: {plural(spoolRecords, 'log')} on the way to MongoDB
      {spoolRecords > 0 && `, the oldest ${formatDuration(spoolOldestSeconds * 1000)} old`}.
      {fallbacks.size > 0 &&
        ` Fallbacks of all projects since the service started: ${[...fallbacks]
          .map(([reason, count]) => `${reason} ${formatCount(count)}`)
          .join(', ')}.`}
    </p>
  );
}
