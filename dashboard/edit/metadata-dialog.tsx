import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextArea } from '../ui/field.tsx';
import { useSaving } from '../ui/use-saving.ts';
import { readJsonObject } from './json-text.ts';
import { patchLog, type Version } from './log-changes.ts';

/** Edits the whole metadata of a log. The editor shows where it is wrong. */
export function MetadataDialog({ version, onClose }: { version: Version; onClose: () => void }) {
  const [text, setText] = useState(() => JSON.stringify(version.log.metadata, null, 2));
  const { busy, problem, forget, save } = useSaving();
  const read = readJsonObject(text);
  const wrong = 'error' in read ? read.error : problem;
  const submit = (event: Event) => {
    event.preventDefault();
    if ('error' in read) return;
    void save(async () => {
      await patchLog(version, { metadata: read.value }, 'The metadata was changed.');
      onClose();
    });
  };
  return (
    <Dialog title="Metadata" onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="JSON object" hint="Replaces all of the metadata. Tags are not changed." error={wrong}>
          <TextArea
            code
            rows={14}
            value={text}
            autofocus
            onInput={(value) => {
              setText(value);
              forget();
            }}
          />
        </Field>
        <footer>
          <Button primary submit busy={busy} disabled={'error' in read}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
