import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/client.ts';
import { Loading } from '../ui/states.tsx';
import { recovered, trouble } from './health.ts';
import { readSession, session } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';
import { useStore } from './store.ts';
import { Toasts } from './toasts.tsx';

export function App() {
  const current = useStore(session);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const read = () => readSession().catch((problem) => setError(messageOf(problem)));
    void read();
    return recovered.listen(() => {
      if (session.get() === undefined) void read();
    });
  }, []);
  return (
    <>
      <Trouble />
      {current ? <Shell /> : current === null ? <SignIn /> : error === undefined && <Loading what="Sluice" />}
      <Toasts />
    </>
  );
}

function Trouble() {
  const text = useStore(trouble);
  return (
    <div class="trouble" role="status">
      {text}
    </div>
  );
}
