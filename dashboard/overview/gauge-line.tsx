import { useLoad } from '../app/load.ts';
import { formatDuration, plural } from '../ui/format.ts';
import { readGauges } from './metrics.ts';
import { useAgain } from './use-again.ts';

/** Says how many logs are still on their way to MongoDB. */
export function GaugeLine({ now }: { now: number }) {
  const gauges = useLoad('gauges', readGauges);
  useAgain(now, gauges.reload);
  if (gauges.data === undefined) return null;
  const { spoolRecords, spoolOldestSeconds } = gauges.data;
  return (
    <p class="muted">
      Spool: {plural(spoolRecords, 'log')} waiting to be written to MongoDB
      {spoolRecords > 0 && `, the oldest ${formatDuration(spoolOldestSeconds * 1000)} old`}.
    </p>
  );
}
