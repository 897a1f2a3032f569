import { useLayoutEffect, useRef } from 'preact/hooks';

/** A key that does something on the page that is shown. */
export interface Shortcut {
  /** As `KeyboardEvent.key` has it, with `ctrl+` before it where Ctrl or Cmd is held. */
  key: string;
  /** For the list of keys. */
  what: string;
  run: (event: KeyboardEvent) => void;
  /** Also while a field has the focus. */
  always?: boolean;
  /** Again and again while it is held; else a key that is held counts once. */
  repeats?: boolean;
}

interface Layer {
  title: string;
  /** Nothing below it gets keys, as under a dialog. */
  modal: boolean;
  shortcuts: () => Shortcut[];
}

const layers: Layer[] = [];

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const key = event.ctrlKey || event.metaKey ? `ctrl+${event.key.toLowerCase()}` : event.key;
  if (key === 'Enter' && isPressable(event.target)) return;
  const typing = isField(event.target);
  for (const layer of [...layers].reverse()) {
    const shortcut = layer.shortcuts().find((one) => one.key === key && (one.always || !typing));
    if (shortcut) {
      event.preventDefault();
      if (!event.repeat || shortcut.repeats) shortcut.run(event);
      return;
    }
    if (layer.modal) return;
  }
});

/** Listens while the component is there; the component that came last is asked first. */
export function useShortcuts(title: string, shortcuts: Shortcut[], modal = false): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  // At once: what is shown answers to its keys.
  useLayoutEffect(() => {
    const layer: Layer = { title, modal, shortcuts: () => latest.current };
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, [title, modal]);
}

/** What can be pressed now, by part of the page. */
export function currentShortcuts(): { title: string; shortcuts: Shortcut[] }[] {
  return layers
    .filter(({ shortcuts, modal }) => !modal && shortcuts().length > 0)
    .map(({ title, shortcuts }) => ({ title, shortcuts: shortcuts() }))
    .reverse();
}

/** What the browser itself presses at Enter. */
function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a, button, summary') !== null;
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return (
    target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
  );
}
