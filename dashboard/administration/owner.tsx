/** Says where an entry can be changed: in the file, or here. */
export function Owner({ managedBy }: { managedBy: 'file' | 'api' }) {
  return managedBy === 'file' ? (
    <span class="tag" title="Defined in sluice.yaml. To change it, edit that file.">
      sluice.yaml
    </span>
  ) : (
    <span class="muted" title="Created with the API or in this dashboard.">
      API
    </span>
  );
}
