import { useState } from 'preact/hooks';
import { useShortcuts } from '../app/keyboard.ts';
import { changeMany, type Target } from '../edit/bulk.ts';
import { BulkDialog } from '../edit/bulk-dialog.tsx';
import { type Rating, tellFailure } from '../edit/rating.tsx';
import { undoLast } from '../edit/undo.ts';
import { Button } from '../ui/button.tsx';
import { formatCount, plural } from '../ui/format.ts';
import type { LogList } from './log-list.ts';
import type { Selection } from './selection.ts';

interface SelectionBarProps {
  projectUid: string;
  list: LogList;
  filter: URLSearchParams;
  selection: Selection;
}

/** Actions for the selected logs, or for all that match the filter. */
export function SelectionBar({ projectUid, list, filter, selection }: SelectionBarProps) {
  const [editing, setEditing] = useState<Target>();
  const ids = [...selection.ids];
  const some = ids.length > 0;
  const rateAll = (rating: Rating) => {
    if (some) void changeMany(projectUid, { ids }, { quality_rating: rating }, () => {}).catch(tellFailure);
  };
  useShortcuts('Selection', [
    { key: 'g', what: 'Rate the selection as good', run: () => rateAll('👍') },
    { key: 'b', what: 'Rate the selection as bad', run: () => rateAll('👎') },
    { key: 't', what: 'Edit the selection', run: () => some && setEditing({ ids }) },
    { key: 'u', what: 'Undo the last change', run: () => void undoLast() },
  ]);
  return (
    <footer class={some ? 'selection-bar some' : 'selection-bar'}>
      {some ? (
        <>
          <strong>{plural(ids.length, 'log')} selected</strong>
          <span class="button-group">
            <Button small icon="good" label="Rate as good" onClick={() => rateAll('👍')} />
            <Button small icon="bad" label="Rate as bad" onClick={() => rateAll('👎')} />
          </span>
          <Button small onClick={() => setEditing({ ids })}>
            Edit
          </Button>
          <Button small quiet onClick={selection.clear}>
            Clear
          </Button>
        </>
      ) : (
        <Loaded list={list} />
      )}
      {list.state.logs.length > 0 && (
        <Button small quiet onClick={() => setEditing({ filter })}>
          Edit all matching logs
        </Button>
      )}
      {editing && (
        <BulkDialog
          projectUid={projectUid}
          target={editing}
          onClose={() => setEditing(undefined)}
          onDone={() => {
            setEditing(undefined);
            selection.clear();
          }}
        />
      )}
    </footer>
  );
}

/** How many logs are shown, and how far the search for them looked. */
function Loaded({ list }: { list: LogList }) {
  const { logs, more, loading, searched } = list.state;
  if (logs.length === 0) return <span class="muted" />;
  const shown = plural(logs.length, 'log');
  if (list.sort !== 'created_at') {
    return (
      <span class="muted">
        {more ? `${shown} loaded, scroll for more` : shown}
        {searched !== undefined && `; the largest of the newest ${formatCount(searched)} logs`}
      </span>
    );
  }
  if (searched === undefined) {
    return <span class="muted">{more ? `${shown} loaded, scroll for more` : shown}</span>;
  }
  return (
    <>
      <span class="muted">
        {shown}; looked through the newest {formatCount(searched)} logs
      </span>
      <Button small busy={loading} onClick={() => void list.loadMore()}>
        Look further
      </Button>
    </>
  );
}
