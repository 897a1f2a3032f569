import { useState } from 'preact/hooks';
import { messageOf } from '../api/client.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  title: string;
  text: string;
  action: string;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** Asks before what cannot be undone. */
export function Confirm({ title, text, action, onClose, onConfirm }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {problem && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button danger busy={busy} onClick={() => void confirm()}>
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
