import { useLayoutEffect, useRef } from 'preact/hooks';

/** A keyboard shortcut of the current page. */
export interface Shortcut {
  /** The key as `KeyboardEvent.key` names it, with `ctrl+` before it where Ctrl or Cmd must be held. */
  key: string;
  /** What the key does, for the list of keys. */
  what: string;
  run: (event: KeyboardEvent) => void;
  /** Whether it also works while a field has the focus. */
  always?: boolean;
  /** Whether it repeats while the key is held. Otherwise a held key counts once. */
  repeats?: boolean;
}

interface Layer {
  title: string;
  /** Whether the parts of the page below get no keys, as under a dialog. */
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

/** Listens for these keys while the component is shown. The component that was shown last is asked first. */
export function useShortcuts(title: string, shortcuts: Shortcut[], modal = false): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  // A layout effect, because the keys must work as soon as the component is visible.
  useLayoutEffect(() => {
    const layer: Layer = { title, modal, shortcuts: () => latest.current };
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, [title, modal]);
}

/** The keys that work now, by part of the page. */
export function currentShortcuts(): { title: string; shortcuts: Shortcut[] }[] {
  return layers
    .filter(({ shortcuts, modal }) => !modal && shortcuts().length > 0)
    .map(({ title, shortcuts }) => ({ title, shortcuts: shortcuts() }))
    .reverse();
}

/** Whether the browser itself presses the element at Enter. */
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
