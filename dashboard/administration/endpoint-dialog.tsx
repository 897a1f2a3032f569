import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError, call, callWhole, messageOf } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { tell } from '../app/toasts.tsx';
import type { Api } from '../generated/api.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { Shown } from '../ui/states.tsx';
import { type EndpointForms, readEndpointForms, schemaChooser } from './endpoint-schema.ts';
import { SchemaForm } from './schema-form.tsx';
import { YamlEditor } from './yaml-editor.tsx';

type Body = Api['POST /api/projects/{uid}/endpoints']['body'];

interface EndpointDialogProps {
  uid: string;
  /** The name of the endpoint to change; undefined for a new one. */
  name: string | undefined;
  onClose: () => void;
  onDone: () => void;
}

interface Read {
  forms: EndpointForms;
  value: Record<string, unknown>;
  etag: string | undefined;
  ofFile: boolean;
}

const NEW = { name: '', models: [{ provider: '', model: '' }] };

export function EndpointDialog(props: EndpointDialogProps) {
  const { uid, name, onClose } = props;
  const read = useLoad<Read>(`endpoint ${uid} ${name ?? ''}`, async (signal) => {
    const forms = await readEndpointForms(signal);
    if (name === undefined) return { forms, value: NEW, etag: undefined, ofFile: false };
    const reply = await callWhole('GET /api/projects/{uid}/endpoints/{name}', {
      params: { uid, name },
      signal,
    });
    const { managed_by, ...value } = reply.data;
    return { forms, value, etag: reply.etag, ofFile: managed_by === 'file' };
  });
  return (
    <Dialog title={name === undefined ? 'New endpoint' : `Endpoint ${name}`} onClose={onClose} wide>
      <Shown of={read} what="the endpoint">
        {(state) => <EndpointForm {...props} read={state} />}
      </Shown>
    </Dialog>
  );
}

function EndpointForm({ uid, name, read, onClose, onDone }: EndpointDialogProps & { read: Read }) {
  const [value, setValue] = useState(read.value);
  const [mistakes, setMistakes] = useState<ReadonlyMap<string, string>>(new Map());
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [asYaml, setAsYaml] = useState(false);
  const [unreadable, setUnreadable] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // The form is loaded after its dialog has opened, so the focus is moved to its first field now.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, textarea')?.focus(), []);
  if (read.ofFile) {
    return (
      <>
        <p class="note">This endpoint is defined in sluice.yaml. To change it, edit that file.</p>
        <YamlEditor value={read.value} />
      </>
    );
  }
  const change = (next: Record<string, unknown>) => {
    setValue(next);
    setMistakes(new Map());
  };
  const save = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const body = value as Body;
      if (name === undefined) await call('POST /api/projects/{uid}/endpoints', { params: { uid }, body });
      else {
        const headers = { 'if-match': read.etag ?? '*' };
        await call('PUT /api/projects/{uid}/endpoints/{name}', { params: { uid, name }, body, headers });
      }
      tell('The endpoint was saved and is active.');
      onDone();
    } catch (error) {
      setMistakes(mistakesOf(error));
      setProblem(adviceFor(error));
      setBusy(false);
    }
  };
  return (
    <form ref={form} onSubmit={save}>
      <span class="button-group">
        <Button small pressed={!asYaml} disabled={unreadable} onClick={() => setAsYaml(false)}>
          Form
        </Button>
        <Button small pressed={asYaml} onClick={() => setAsYaml(true)}>
          YAML
        </Button>
      </span>
      {asYaml ? (
        <YamlEditor value={value} mistakes={mistakes} onChange={change} onUnreadable={setUnreadable} />
      ) : (
        <SchemaForm
          schema={read.forms.endpoint}
          value={value}
          onChange={(next) => change(next as Record<string, unknown>)}
          path=""
          mistakes={mistakes}
          label="Endpoint"
          required
          schemaAt={schemaChooser(read.forms, value)}
        />
      )}
      <Problem text={problem} />
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button primary submit busy={busy} disabled={unreadable}>
          Save
        </Button>
      </footer>
    </form>
  );
}

/** The mistakes by place. The server names places with slashes or with dots; both are read. */
function mistakesOf(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ApiError)) return new Map();
  return new Map(
    error.details.map(({ path, message }) => [
      path
        .replace(/^(body)?[./]/, '')
        .replace(/\[(\d+)\]/g, '.$1')
        .replaceAll('/', '.'),
      message,
    ]),
  );
}

function adviceFor(error: unknown): string {
  if (error instanceof ApiError && error.status === 412) {
    return 'Somebody else changed this endpoint in the meantime. Close this dialog and open it again.';
  }
  return messageOf(error);
}
