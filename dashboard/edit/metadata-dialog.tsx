import { useState } from 'preact/hooks';
import { messageOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextArea } from '../ui/field.tsx';
import { readJsonObject } from './json-text.ts';
import { patchLog, type Version } from './log-changes.ts';

/** The metadata of one log, whole, in an editor that shows where it is wrong. */
export function MetadataDialog({ version, onClose }: { version: Version; onClose: () => void }) {
  const [text, setText] = useState(() => JSON.stringify(version.log.metadata, null, 2));
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const read = readJsonObject(text);
  const wrong = 'error' in read ? read.error : problem;
  const save = async (event: Event) => {
    event.preventDefault();
    if ('error' in read) return;
    setBusy(true);
    try {
      await patchLog(version, { metadata: read.value }, 'The metadata was changed.');
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Metadata" onClose={onClose}>
      <form onSubmit={save}>
        <Field label="JSON object" hint="Replaces all of the metadata. Tags are not changed." error={wrong}>
          <TextArea
            code
            rows={14}
            value={text}
            autofocus
            onInput={(value) => {
              setText(value);
              setProblem(undefined);
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
