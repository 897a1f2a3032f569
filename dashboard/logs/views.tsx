import { useState } from 'preact/hooks';
import { createKeptStore, useStore } from '../app/store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { Popover } from '../ui/popover.tsx';

interface View {
  name: string;
  query: string;
}

/** The reader's views by project. This browser keeps them. */
const views = createKeptStore<Record<string, View[]>>('sluice.views', {});

interface ViewsProps {
  projectUid: string;
  filter: URLSearchParams;
  onChange: (filter: URLSearchParams) => void;
}

/** Named filters of the reader. */
export function Views({ projectUid, filter, onChange }: ViewsProps) {
  const ofProject = useStore(views)[projectUid] ?? [];
  const [naming, setNaming] = useState(false);
  const keep = (list: View[]) => views.set({ ...views.get(), [projectUid]: list });
  return (
    <>
      <Popover label="Saved views" icon="star" text="Views">
        {(close) => (
          <>
            {ofProject.length === 0 && (
              <p class="muted">A view is a filter with a name. You have not saved any yet.</p>
            )}
            <ul class="plain-list">
              {ofProject.map((view) => (
                <li key={view.name} class="row-between">
                  <button
                    type="button"
                    class="link"
                    onClick={() => {
                      onChange(new URLSearchParams(view.query));
                      close();
                    }}
                  >
                    {view.name}
                  </button>
                  <Button
                    quiet
                    small
                    icon="trash"
                    label={`Remove the view ${view.name}`}
                    onClick={() => keep(ofProject.filter((one) => one !== view))}
                  />
                </li>
              ))}
            </ul>
            <Button
              small
              icon="plus"
              disabled={filter.size === 0}
              onClick={() => {
                close();
                setNaming(true);
              }}
            >
              Save this filter
            </Button>
          </>
        )}
      </Popover>
      {naming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            keep([...ofProject.filter((view) => view.name !== name), { name, query: filter.toString() }]);
            setNaming(false);
          }}
        />
      )}
    </>
  );
}

function NameDialog({ onClose, onName }: { onClose: () => void; onName: (name: string) => void }) {
  const [name, setName] = useState('');
  return (
    <Dialog title="Save this filter as a view" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') onName(name.trim());
        }}
      >
        <Field label="Name" hint="A view with the same name is replaced.">
          <TextInput value={name} onInput={setName} autofocus />
        </Field>
        <footer>
          <Button primary submit disabled={name.trim() === ''}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
