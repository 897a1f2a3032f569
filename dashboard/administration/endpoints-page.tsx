import { useState } from 'preact/hooks';
import { type Answer, call } from '../api/client.ts';
import { type Loaded, useLoad } from '../app/load.ts';
import { tell } from '../app/toasts.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Empty, Shown } from '../ui/states.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { FirstRequest } from './first-request.tsx';
import { Keys, NewKey } from './keys.tsx';
import { Owner } from './owner.tsx';

type Endpoint = Answer<'GET /api/projects/{uid}/endpoints'>['data'][number];

/** What clients can call in a project, and the API keys for it. */
export function EndpointsPage({ uid }: { uid: string }) {
  const endpoints = useLoad(`endpoint list ${uid}`, (signal) =>
    call('GET /api/projects/{uid}/endpoints', { params: { uid }, signal }),
  );
  const keys = useLoad(`keys ${uid}`, (signal) =>
    call('GET /api/projects/{uid}/api-keys', { params: { uid }, signal }),
  );
  const [making, setMaking] = useState<'endpoint' | 'key'>();
  const [made, setMade] = useState<string>();
  const isNew = endpoints.data?.data.length === 0 || keys.data?.data.length === 0;
  const first = endpoints.data && keys.data && (
    <FirstRequest
      uid={uid}
      endpoints={endpoints.data.data}
      keys={keys.data.data}
      made={made}
      onEndpoint={() => setMaking('endpoint')}
      onKey={() => setMaking('key')}
    />
  );
  const close = () => setMaking(undefined);
  return (
    <section class="page narrow-page" aria-label="Endpoints and keys">
      {isNew && first}
      <Endpoints uid={uid} endpoints={endpoints} onNew={() => setMaking('endpoint')} />
      <Keys uid={uid} keys={keys} onNew={() => setMaking('key')} />
      {!isNew && first}
      {making === 'endpoint' && (
        <EndpointDialog
          uid={uid}
          name={undefined}
          onClose={close}
          onDone={() => {
            close();
            endpoints.reload();
          }}
        />
      )}
      {making === 'key' && (
        <NewKey
          uid={uid}
          onClose={close}
          onMade={(key) => {
            // The text of a new key is only kept for the example of a new project, because a key is shown once.
            if (isNew) setMade(key);
            keys.reload();
          }}
        />
      )}
    </section>
  );
}

interface EndpointsProps {
  uid: string;
  endpoints: Loaded<Answer<'GET /api/projects/{uid}/endpoints'>>;
  onNew: () => void;
}

function Endpoints({ uid, endpoints, onNew }: EndpointsProps) {
  const [open, setOpen] = useState<string>();
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
        <Button icon="plus" onClick={onNew}>
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
                  onOpen={() => setOpen(endpoint.name)}
                  onRemove={() => setRemoving(endpoint.name)}
                />
              ))}
            </ul>
          )
        }
      </Shown>
      {open !== undefined && (
        <EndpointDialog
          uid={uid}
          name={open}
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
