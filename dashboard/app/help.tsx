import { useState } from 'preact/hooks';
import { Dialog } from '../ui/dialog.tsx';
import { currentShortcuts } from './keyboard.ts';

const NAMES: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc', ' ': 'Space' };

/** Lists all keys of the page. */
export function Help({ onClose }: { onClose: () => void }) {
  // The keys of the page below, read before this window replaces them.
  const [groups] = useState(currentShortcuts);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {groups.map(({ title, shortcuts }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl class="keys">
            {shortcuts.map(({ key, what }) => (
              <div key={key}>
                <dt>
                  <kbd>
                    {key.startsWith('ctrl+') ? `Ctrl ${key.slice(5).toUpperCase()}` : (NAMES[key] ?? key)}
                  </kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
