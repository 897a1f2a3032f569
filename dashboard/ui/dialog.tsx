import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useShortcuts } from '../app/keyboard.ts';
import { Button } from './button.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

/** A window over the page that keeps the focus until it is closed. */
export function Dialog({ title, onClose, children, wide }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const latest = useRef(onClose);
  const pressedOutside = useRef(false);
  latest.current = onClose;
  useShortcuts(title, [], true);
  // A layout effect, because what the reader types next is meant for the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current as HTMLDialogElement;
    dialog.showModal();
    dialog.querySelector<HTMLElement>('input, textarea, select')?.focus();
    return () => {
      dialog.close();
      // What opened it may be gone, such as the button of a step that is done. The page's content is then the next place.
      const opener = before instanceof HTMLElement && before.isConnected ? before : undefined;
      (opener ?? document.getElementById('main'))?.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        latest.current();
      }}
      // Selecting text with the mouse may end outside of the window, which must not close it with everything that was
      // written.
      onPointerDown={(event) => {
        pressedOutside.current = event.target === element.current;
      }}
      onClick={(event) => event.target === element.current && pressedOutside.current && latest.current()}
    >
      <div class="dialog-inside">
        <header>
          <h2>{title}</h2>
          <Button quiet small icon="close" label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
