import { useState } from 'preact/hooks';
import { messageOf } from '../api/client.ts';

export interface Saving {
  busy: boolean;
  /** Why the last attempt to save failed. */
  problem: string | undefined;
  /** Clears the problem. Call it when what is to be saved was changed. */
  forget: () => void;
  /** Does the work, which closes the dialog. Where it fails, the dialog stays open and says why. */
  save: (work: () => Promise<unknown>) => Promise<void>;
}

/** The state that every saving dialog shows: whether it is busy, and why it failed. */
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
