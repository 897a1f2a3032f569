import { useState } from 'preact/hooks';
import { type Answer, call } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { tell } from '../app/toasts.tsx';
import { tellFailure } from '../edit/rating.tsx';
import { copyText } from '../log/copy.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Select, TextInput } from '../ui/field.tsx';
import { Moment } from '../ui/moment.tsx';
import { Empty, Shown } from '../ui/states.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { Owner } from './owner.tsx';

type Endpoint = Answer<'GET /api/projects/{uid}/endpoints'>['data'][number];
type Key = Answer<'GET /api/projects/{uid}/api-keys'>['data'][number];

const SCOPES = ['inference', 'feedback', 'logs'] as const;
type Scope = (typeof SCOPES)[number];

/** What clients can call in a project, and the keys that open it. */
export function EndpointsPage({ uid }: { uid: string }) {
  return (
    <section class="page narrow-page" aria-label="Endpoints and keys">
      <Endpoints uid={uid} />
      <Keys uid={uid} />
    </section>
  );
}

function Endpoints({ uid }: { uid: string }) {
  const endpoints = useLoad(`endpoint list ${uid}`, (signal) =>
    call('GET /api/projects/{uid}/endpoints', { params: { uid }, signal }),
  );
  const [open, setOpen] = useState<{ name: string | undefined }>();
  const [removing, setRemoving] = useState<string>();
  const remove = async (name: string) => {
    await call('DELETE /api/projects/{uid}/endpoints/{name}', { params: { uid, name } });
    tell(`The endpoint ${name} was removed.`);
    endpoints.reload();
  };
  return (
    <>
      <header class="page-head">
        <h1>Endpoints</h1>
        <Button icon="plus" onClick={() => setOpen({ name: undefined })}>
          New endpoint
        </Button>
      </header>
      <Shown of={endpoints} what="endpoints">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="This project has no endpoint yet.">
              <p class="muted">
                An endpoint is what clients send as `model`. It has a chain of models, and plugins.
              </p>
            </Empty>
          ) : (
            <ul class="cards">
              {data.map((endpoint) => (
                <EndpointCard
                  key={endpoint.name}
                  endpoint={endpoint}
                  onOpen={() => setOpen({ name: endpoint.name })}
                  onRemove={() => setRemoving(endpoint.name)}
                />
              ))}
            </ul>
          )
        }
      </Shown>
      {open && (
        <EndpointDialog
          uid={uid}
          name={open.name}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined);
            endpoints.reload();
          }}
        />
      )}
      {removing !== undefined && (
        <Confirm
          title={`Remove the endpoint ${removing}?`}
          text="Clients that call it get an error from then on. Its logs are kept."
          action="Remove"
          onClose={() => setRemoving(undefined)}
          onConfirm={() => remove(removing)}
        />
      )}
    </>
  );
}

interface EndpointCardProps {
  endpoint: Endpoint;
  onOpen: () => void;
  onRemove: () => void;
}

function EndpointCard({ endpoint, onOpen, onRemove }: EndpointCardProps) {
  const { name, models, plugins, managed_by } = endpoint;
  return (
    <li class="card">
      <div class="row-between">
        <h2>{name}</h2>
        <span class="tools">
          <Owner managedBy={managed_by} />
          <Button small onClick={onOpen} label={`${managed_by === 'file' ? 'Show' : 'Edit'} ${name}`}>
            {managed_by === 'file' ? 'Show' : 'Edit'}
          </Button>
          {managed_by === 'api' && (
            <Button small quiet icon="trash" label={`Remove the endpoint ${name}`} onClick={onRemove} />
          )}
        </span>
      </div>
      <p class="muted">
        {models.map(({ provider, model }) => `${provider}/${model}`).join(' → ')}
        {endpoint.json_validation && ' · validates JSON'}
        {plugins.length > 0 && ` · ${plugins.map(({ plugin }) => plugin).join(', ')}`}
      </p>
    </li>
  );
}

function Keys({ uid }: { uid: string }) {
  const keys = useLoad(`keys ${uid}`, (signal) =>
    call('GET /api/projects/{uid}/api-keys', { params: { uid }, signal }),
  );
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string>();
  const [removing, setRemoving] = useState<Key>();
  const remove = async ({ id, name }: Key) => {
    await call('DELETE /api/projects/{uid}/api-keys/{id}', { params: { uid, id } });
    tell(`The key ${name} was removed.`);
    keys.reload();
  };
  return (
    <>
      <header class="page-head">
        <h1>Keys</h1>
        <Button icon="plus" onClick={() => setMaking(true)}>
          New key
        </Button>
      </header>
      <Shown of={keys} what="keys">
        {({ data }) => (
          <div class="table-scroll" tabIndex={0}>
            <table class="list-table">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>Starts with</th>
                  <th>Fingerprint</th>
                  <th>Scopes</th>
                  <th>Created</th>
                  <th>Last used</th>
                  <th>Expires</th>
                  <th>Managed by</th>
                  <th>
                    <span class="hidden">Remove</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((key) => (
                  <tr key={key.id}>
                    <td>{key.name}</td>
                    <td>
                      <code>{key.prefix}…</code>
                    </td>
                    <td>
                      <code>{key.fingerprint}</code>
                    </td>
                    <td>{key.scopes.join(', ')}</td>
                    <td>{key.created_at === null ? '–' : <Moment at={key.created_at} />}</td>
                    <td>{key.last_used_at === null ? 'never' : <Moment at={key.last_used_at} />}</td>
                    <td>{key.expires_at === null ? 'never' : <Moment at={key.expires_at} />}</td>
                    <td>
                      <Owner managedBy={key.managed_by} />
                    </td>
                    <td class="right">
                      {key.managed_by === 'api' && (
                        <Button
                          small
                          quiet
                          icon="trash"
                          label={`Remove the key ${key.name}`}
                          onClick={() => setRemoving(key)}
                        />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
      {making && (
        <NewKey
          uid={uid}
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
            keys.reload();
          }}
        />
      )}
      {made !== undefined && (
        <Dialog title="The new key" onClose={() => setMade(undefined)}>
          <p>Copy the key now: it is not shown again. Sluice keeps only its hash.</p>
          <pre class="new-key" tabIndex={0}>
            {made}
          </pre>
          <footer>
            <Button icon="copy" onClick={() => void copyText(made, 'The key')}>
              Copy
            </Button>
            <Button primary onClick={() => setMade(undefined)}>
              Done
            </Button>
          </footer>
        </Dialog>
      )}
      {removing && (
        <Confirm
          title={`Remove the key ${removing.name}?`}
          text="Clients that use it get an error from then on. This cannot be undone."
          action="Remove"
          onClose={() => setRemoving(undefined)}
          onConfirm={() => remove(removing)}
        />
      )}
    </>
  );
}

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;
type Lifetime = (typeof LIFETIMES)[number]['value'];

function expiryOf(days: Lifetime): { expires_at?: string } {
  if (days === 'never') return {};
  return { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
}

function NewKey({
  uid,
  onClose,
  onMade,
}: {
  uid: string;
  onClose: () => void;
  onMade: (key: string) => void;
}) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['inference']);
  const [days, setDays] = useState<Lifetime>('never');
  const [busy, setBusy] = useState(false);
  const make = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const { key } = await call('POST /api/projects/{uid}/api-keys', {
        params: { uid },
        body: { name: name.trim(), scopes, ...expiryOf(days) },
      });
      onMade(key);
    } catch (error) {
      tellFailure(error);
      setBusy(false);
    }
  };
  const toggle = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  return (
    <Dialog title="New key" onClose={onClose}>
      <form onSubmit={make}>
        <Field label="Name" hint="Unique in the project.">
          <TextInput value={name} onInput={setName} autofocus />
        </Field>
        <fieldset class="choices">
          <legend>Scopes</legend>
          {SCOPES.map((scope) => (
            <label key={scope}>
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
              {scope}
            </label>
          ))}
        </fieldset>
        <Field label="Expires">
          <Select value={days} options={LIFETIMES} onChange={setDays} />
        </Field>
        <footer>
          <Button primary submit busy={busy} disabled={name.trim() === '' || scopes.length === 0}>
            Create the key
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
