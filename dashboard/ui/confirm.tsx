import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';
import { useSaving } from './use-saving.ts';

interface ConfirmProps {
  title: string;
  text: string;
  action: string;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** Asks for confirmation of something that cannot be undone. */
export function Confirm({ title, text, action, onClose, onConfirm }: ConfirmProps) {
  const { busy, problem, save } = useSaving();
  const confirm = async () => {
    await onConfirm();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <Problem text={problem} />
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button danger busy={busy} onClick={() => void save(confirm)}>
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
