import { useLoad } from '../app/load.ts';
import { readSettings } from '../app/settings.ts';
import { isSafeLink } from '../ui/markdown.tsx';

/** A link to the trace, made from `dashboard.trace_url` of sluice.yaml; without that setting the id alone. */
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
