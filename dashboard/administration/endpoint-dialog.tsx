import { useState } from 'preact/hooks';
import { ApiError, call, callWhole, messageOf } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { tell } from '../app/toasts.tsx';
import type { Api } from '../generated/api.ts';
import { copyText } from '../log/copy.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Shown } from '../ui/states.tsx';
import { type EndpointForms, readEndpointForms, schemaChooser } from './endpoint-schema.ts';
import { SchemaForm } from './schema-form.tsx';
import { toYaml } from './yaml.ts';

type Body = Api['POST /api/projects/{uid}/endpoints']['body'];

interface EndpointDialogProps {
  uid: string;
  /** The endpoint to be changed; undefined for a new one. */
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
  if (read.ofFile) {
    return (
      <>
        <p class="note">This endpoint is defined in sluice.yaml. You can see it here and change it there.</p>
        <Yaml value={read.value} />
      </>
    );
  }
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
    <form onSubmit={save}>
      <span class="button-group">
        <Button small pressed={!asYaml} onClick={() => setAsYaml(false)}>
          Form
        </Button>
        <Button small pressed={asYaml} onClick={() => setAsYaml(true)}>
          YAML
        </Button>
      </span>
      {asYaml ? (
        <Yaml value={value} />
      ) : (
        <SchemaForm
          schema={read.forms.endpoint}
          value={value}
          onChange={(next) => {
            setValue(next as Record<string, unknown>);
            setMistakes(new Map());
          }}
          path=""
          mistakes={mistakes}
          label="Endpoint"
          required
          schemaAt={schemaChooser(read.forms, value)}
        />
      )}
      {problem && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button primary submit busy={busy}>
          Save
        </Button>
      </footer>
    </form>
  );
}

/** An endpoint as sluice.yaml has it, to be copied there. */
function Yaml({ value }: { value: Record<string, unknown> }) {
  const text = toYaml([value]).trimStart();
  return (
    <>
      <pre class="raw" tabIndex={0}>
        {text}
      </pre>
      <p>
        <Button small icon="copy" onClick={() => void copyText(text, 'The YAML')}>
          Copy
        </Button>{' '}
        <span class="muted">It belongs under `endpoints` of the project.</span>
      </p>
    </>
  );
}

/** The server's places, whether written with slashes or with dots. */
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
