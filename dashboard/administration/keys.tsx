import { useState } from 'preact/hooks';
import { type Answer, call } from '../api/client.ts';
import type { Loaded } from '../app/load.ts';
import { tell } from '../app/toasts.tsx';
import { copyText } from '../log/copy.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Select, TextInput } from '../ui/field.tsx';
import { Moment } from '../ui/moment.tsx';
import { Problem } from '../ui/problem.tsx';
import { Shown } from '../ui/states.tsx';
import { useSaving } from '../ui/use-saving.ts';
import { Owner } from './owner.tsx';

type Key = Answer<'GET /api/projects/{uid}/api-keys'>['data'][number];

const SCOPES = ['inference', 'feedback', 'logs'] as const;
type Scope = (typeof SCOPES)[number];
const SCOPE_WORDS: Record<Scope, string> = {
  inference: 'call models',
  feedback: 'give feedback',
  logs: 'read, change and export logs',
};

interface KeysProps {
  uid: string;
  keys: Loaded<Answer<'GET /api/projects/{uid}/api-keys'>>;
  onNew: () => void;
}

export function Keys({ uid, keys, onNew }: KeysProps) {
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
        <Button icon="plus" onClick={onNew}>
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

interface NewKeyProps {
  uid: string;
  onClose: () => void;
  /** Called with the text of the new key. */
  onMade: (key: string) => void;
}

/** Asks what a new key may do, makes it, and shows its text once. */
export function NewKey({ uid, onClose, onMade }: NewKeyProps) {
  const [made, setMade] = useState<string>();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['inference']);
  const [days, setDays] = useState<Lifetime>('never');
  const { busy, problem, save } = useSaving();
  const submit = (event: Event) => {
    event.preventDefault();
    void save(async () => {
      const { key } = await call('POST /api/projects/{uid}/api-keys', {
        params: { uid },
        body: { name: name.trim(), scopes, ...expiryOf(days) },
      });
      setMade(key);
      onMade(key);
    });
  };
  const toggle = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  if (made !== undefined) return <MadeKey text={made} onClose={onClose} />;
  return (
    <Dialog title="New key" onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="Name" hint="Must be unique in the project.">
          <TextInput value={name} onInput={setName} autofocus />
        </Field>
        <fieldset class="choices">
          <legend>Scopes</legend>
          {SCOPES.map((scope) => (
            <label key={scope}>
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
              {scope}
              <span class="muted"> {SCOPE_WORDS[scope]}</span>
            </label>
          ))}
        </fieldset>
        <Field label="Expires">
          <Select value={days} options={LIFETIMES} onChange={setDays} />
        </Field>
        <Problem text={problem} />
        <footer>
          <Button primary submit busy={busy} disabled={name.trim() === '' || scopes.length === 0}>
            Create the key
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function MadeKey({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <Dialog title="The new key" onClose={onClose}>
      <p>Copy the key now: it is not shown again. Sluice keeps only its hash.</p>
      <pre class="new-key" tabIndex={0}>
        {text}
      </pre>
      <footer>
        <Button icon="copy" onClick={() => void copyText(text, 'The key')}>
          Copy
        </Button>
        <Button primary onClick={onClose}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}
