/** Says where an entry can be changed: in the file, or here. */
export function Owner({ managedBy }: { managedBy: 'file' | 'api' }) {
  return managedBy === 'file' ? (
    <span class="tag" title="Defined in sluice.yaml. You can see it here and change it there.">
      sluice.yaml
    </span>
  ) : (
    <span class="muted" title="Made with the API or in this dashboard.">
      API
    </span>
  );
}
