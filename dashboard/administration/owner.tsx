/** Where something is changed. */
export function Owner({ managedBy }: { managedBy: 'file' | 'api' }) {
  return managedBy === 'file' ? (
    <span class="tag" title="It stands in sluice.yaml: shown here, changed there.">
      sluice.yaml
    </span>
  ) : (
    <span class="muted">here</span>
  );
}
