import { useLoad } from '../app/load.ts';
import { readSettings } from '../app/settings.ts';
import { isSafeLink } from '../ui/markdown.tsx';

/** Where `dashboard.trace_url` of sluice.yaml says that traces are seen; the id alone without it. */
export function TraceLink({ traceId }: { traceId: string }) {
  const { data } = useLoad('settings', readSettings);
  const link = data?.trace_url?.replaceAll('{trace_id}', traceId);
  if (!isSafeLink(link)) return <code>{traceId}</code>;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer">
      Open the trace
    </a>
  );
}
