import { useState } from 'preact/hooks';
import { ApiError, messageOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { signIn } from './session.ts';

export function SignIn() {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (key.trim() === '') return setError('Paste a key.');
    setBusy(true);
    try {
      await signIn(key.trim());
    } catch (problem) {
      setError(adviceFor(problem));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>
          <span class="mark" aria-hidden="true" />
          Sluice
        </h1>
        <Field
          label="Key"
          hint="An admin key, or a project's key with the scope `logs`. `npm start` prints both."
          error={error}
        >
          <TextInput type="password" value={key} onInput={setKey} autofocus />
        </Field>
        <Button primary submit busy={busy}>
          Sign in
        </Button>
        <p class="muted">
          The key is sent once. After that this browser keeps a session that expires, and not the key.
        </p>
      </form>
    </main>
  );
}

function adviceFor(problem: unknown): string {
  if (!(problem instanceof ApiError)) return messageOf(problem);
  switch (problem.code) {
    case 'invalid_api_key':
      return 'This key is not valid for any project and is not an admin key. Was it pasted completely?';
    case 'insufficient_scope':
      return 'This key cannot read logs. Use a key with the scope `logs`, or an admin key.';
    case 'rate_limited':
      return 'Too many attempts. Wait a minute and try again.';
    default:
      return problem.message;
  }
}
