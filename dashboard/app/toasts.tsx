import { Button } from '../ui/button.tsx';
import { createStore, useStore } from './store.ts';

interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'bad';
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 7_000;
const MOST = 3;
const toasts = createStore<Toast[]>([]);
let lastId = 0;

/**
 * Shows a message for a few seconds, with at most one action. Returns the function that removes it, for a message
 * whose action is no longer possible.
 */
export function tell(text: string, options: Partial<Pick<Toast, 'tone' | 'action'>> = {}): () => void {
  const toast: Toast = { id: ++lastId, text, tone: 'plain', ...options };
  toasts.set([...toasts.get().slice(1 - MOST), toast]);
  setTimeout(() => dismiss(toast.id), SHOWN_MS);
  return () => dismiss(toast.id);
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {useStore(toasts).map(({ id, text, tone, action }) => (
        <div key={id} class={`toast ${tone}`}>
          <span>{text}</span>
          {action && (
            <Button
              small
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <Button small quiet label="Dismiss" icon="close" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
