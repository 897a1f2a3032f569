import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';

interface PopoverProps {
  label: string;
  icon: IconName;
  text?: string;
  children: (close: () => void) => ComponentChildren;
}

/** A button that opens a small box under it. */
export function Popover({ label, icon, text, children }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const onDown = (event: Event) => {
      if (!element.current?.contains(event.target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      element.current?.querySelector('button')?.focus();
      event.stopPropagation();
    };
    addEventListener('pointerdown', onDown);
    const box = element.current;
    box?.addEventListener('keydown', onKey);
    return () => {
      removeEventListener('pointerdown', onDown);
      box?.removeEventListener('keydown', onKey);
    };
  }, [open]);
  return (
    <div class="popover" ref={element}>
      <Button icon={icon} label={label} expanded={open} onClick={() => setOpen(!open)}>
        {text}
      </Button>
      {open && (
        <section class="popover-box" aria-label={label}>
          {children(() => setOpen(false))}
        </section>
      )}
    </div>
  );
}
