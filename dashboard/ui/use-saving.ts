import { useState } from 'preact/hooks';
import { messageOf } from '../api/client.ts';

export interface Saving {
  busy: boolean;
  /** Why the last try failed. */
  problem: string | undefined;
  /** The problem no longer holds, because what is to be saved was changed. */
  forget: () => void;
  /** Does the work, which closes the dialog. Where it fails, the dialog stays open and says why. */
  save: (work: () => Promise<unknown>) => Promise<void>;
}

/** What every dialog that saves something shows: that it works, and why it failed. */
export function useSaving(): Saving {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  return {
    busy,
    problem,
    forget: () => setProblem(undefined),
    save: async (work) => {
      setBusy(true);
      setProblem(undefined);
      try {
        await work();
      } catch (error) {
        setProblem(messageOf(error));
      } finally {
        setBusy(false);
      }
    },
  };
}
