import { useEffect, useState } from 'preact/hooks';
import { Failure, Loading } from '../ui/states.tsx';
import { followHealth, recovered, refusedConfiguration, trouble } from './health.ts';
import { readSession, session } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';
import { useStore } from './store.ts';
import { Toasts } from './toasts.tsx';

export function App() {
  const current = useStore(session);
  const [error, setError] = useState<Error>();
  const read = () => {
    setError(undefined);
    readSession().catch(setError);
  };
  useEffect(() => {
    read();
    const stopFollowing = followHealth();
    const stopListening = recovered.listen(() => {
      if (session.get() === undefined) read();
    });
    return () => {
      stopFollowing();
      stopListening();
    };
  }, []);
  return (
    <>
      <Trouble />
      {current?.kind === 'admin' && <RefusedConfiguration />}
      {current ? (
        <Shell />
      ) : current === null ? (
        <SignIn />
      ) : error === undefined ? (
        <Loading what="Sluice" />
      ) : (
        <Failure error={error} onRetry={read} />
      )}
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

/** Shown to admins, who can ask for the file to be changed. */
function RefusedConfiguration() {
  const text = useStore(refusedConfiguration);
  if (text === undefined) return null;
  return (
    <div class="trouble" role="status">
      The changed sluice.yaml is not used: {text}.
    </div>
  );
}
