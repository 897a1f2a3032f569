const LABELS: Record<string, string> = {
  success: 'Success',
  rejected: 'Rejected',
  invalid_output: 'Invalid output',
  error: 'Error',
  aborted: 'Aborted',
};

export function statusLabel(status: string): string {
  return LABELS[status] ?? status;
}

export function Status({ status, code }: { status: string; code?: number }) {
  return (
    <span class={`status ${status}`}>
      <span class="dot" aria-hidden="true" />
      {statusLabel(status)}
      {code !== undefined && code >= 400 && <span class="muted"> {code}</span>}
    </span>
  );
}
