import type { ComponentChildren } from 'preact';
import { linkTo } from '../app/router.ts';
import { patchLog, type Version } from '../edit/log-changes.ts';
import { tellFailure } from '../edit/rating.tsx';
import { TagEditor } from '../edit/tag-editor.tsx';
import { Button } from '../ui/button.tsx';
import { formatCost, formatCount, formatDuration, formatScore } from '../ui/format.ts';
import { ModelName } from '../ui/model-name.tsx';
import { Moment } from '../ui/moment.tsx';
import { Attempts } from './attempts.tsx';
import { FeedbackList } from './feedback-list.tsx';
import { PluginRuns } from './plugin-runs.tsx';
import { TraceLink } from './trace-link.tsx';

/** Everything known of a log, apart from the conversation. */
export function LogSide({ version, onMetadata }: { version: Version; onMetadata: () => void }) {
  const { log } = version;
  const { usage, timing } = log;
  const setTags = (tags: string[]) =>
    void patchLog(version, { metadata_tags: tags }, 'The tags were changed.').catch(tellFailure);
  return (
    <aside class="log-side" aria-label="About this log">
      <Part title="Facts">
        <dl class="facts">
          <Fact name="Time">
            <Moment at={log.created_at} />
          </Fact>
          <Fact name="Model">
            <ModelName log={log} />
          </Fact>
          {log.caller !== undefined && (
            <Fact name="Key">
              <a href={linkTo([log.project_uid, 'logs'], { key: log.caller.replace(/^key:/, '') })}>
                {log.caller.replace(/^key:/, '')}
              </a>
            </Fact>
          )}
          {typeof log.metadata.session_id === 'string' && (
            <Fact name="Session">
              <a href={linkTo([log.project_uid, 'session', log.metadata.session_id])}>
                {log.metadata.session_id}
              </a>
            </Fact>
          )}
          <Fact name="API">
            {log.api}
            {log.stream && ', streamed'}
          </Fact>
          <Fact name="Duration">
            {formatDuration(timing.total_ms)}
            {timing.time_to_first_token_ms !== null &&
              `, first token ${formatDuration(timing.time_to_first_token_ms)}`}
          </Fact>
          <Fact name="Tokens">
            {usage === null
              ? '–'
              : `${formatCount(usage.input_tokens)} in, ${formatCount(usage.output_tokens)} out${usage.estimated ? ' (estimated)' : ''}`}
          </Fact>
          <Fact name="Cost">{log.cost === null ? '–' : formatCost(log.cost)}</Fact>
          <Fact name="Score">{log.score === null ? '–' : formatScore(log.score)}</Fact>
          {log.client_request_id !== null && <Fact name="Request id">{log.client_request_id}</Fact>}
          <Fact name="Log id">
            <code>{log.id}</code>
          </Fact>
          {log.trace_id !== null && (
            <Fact name="Trace">
              <TraceLink traceId={log.trace_id} />
            </Fact>
          )}
        </dl>
      </Part>
      <Part title="Tags">
        <TagEditor projectUid={log.project_uid} tags={log.tags} onChange={setTags} label="Add a tag" />
      </Part>
      <Part title="Feedback">
        <FeedbackList log={log} />
      </Part>
      <Part title="Attempts">
        <Attempts log={log} />
      </Part>
      <Part title="Plugins">
        <PluginRuns log={log} />
      </Part>
      <Part
        title="Metadata"
        action={<Button quiet small icon="pencil" label="Edit the metadata" onClick={onMetadata} />}
      >
        {Object.keys(log.metadata).length === 0 ? (
          <p class="muted">None.</p>
        ) : (
          <pre tabIndex={0} class="metadata">
            {JSON.stringify(log.metadata, null, 2)}
          </pre>
        )}
      </Part>
    </aside>
  );
}

function Part({
  title,
  action,
  children,
}: {
  title: string;
  action?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="side-part">
      <div class="row-between">
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
