import type { ComponentChildren } from 'preact';
import { ApiError } from '../api/client.ts';
import type { Loaded } from '../app/load.ts';
import { Button } from './button.tsx';

export function Loading({ what }: { what: string }) {
  return (
    <p class="state loading" role="status">
      <span class="spinner" aria-hidden="true" />
      Loading {what} …
    </p>
  );
}

/** Says that there is nothing to show, and what the reader can do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state">
      <p class="state-title">{title}</p>
      {children}
    </div>
  );
}

export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const details = otherDetails(error);
  return (
    <div class="state" role="alert">
      <p class="state-title">{error.message}</p>
      {details.length > 0 && (
        <ul>
          {details.map(({ path, message }) => (
            <li key={path}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <p class="muted">{adviceFor(error)}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** The details that are not in the message. Most messages contain all of them. */
function otherDetails(error: Error): ApiError['details'] {
  return error instanceof ApiError
    ? error.details.filter(({ message }) => !error.message.includes(message))
    : [];
}

function adviceFor(error: Error): string {
  if (!(error instanceof ApiError))
    return 'Reload the page. If that does not help, look at the log output of the admin service.';
  if (error.status === 0) return 'Check that Sluice is running. The page tries again by itself.';
  switch (error.code) {
    case 'storage_unavailable':
      return 'MongoDB is away. The page tries again by itself.';
    case 'insufficient_scope':
      return 'The key that you signed in with does not allow this. Sign out and use another key.';
    case 'not_found':
      return 'It may have been removed, or it may not have arrived yet.';
    case 'rate_limited':
      return 'Wait a moment and try again.';
    default:
      return error.status >= 500
        ? 'The log output of the admin service has details.'
        : 'Correct what the message names, and try again.';
  }
}

/** Shows the loaded value, or that it is still loading, or why it failed. */
export function Shown<Value>({
  of,
  what,
  children,
}: {
  of: Loaded<Value>;
  what: string;
  children: (value: Value) => ComponentChildren;
}) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error !== undefined) return <Failure error={of.error} onRetry={of.reload} />;
  return <Loading what={what} />;
}
