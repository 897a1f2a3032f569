import { useState } from 'preact/hooks';
import { Dialog } from '../ui/dialog.tsx';
import { ADMIN_PAGES, PROJECT_PAGES } from './pages.ts';
import type { ProjectName } from './projects.ts';
import { go, linkTo } from './router.ts';
import { session, signOut } from './session.ts';
import { cycleTheme } from './theme.ts';

interface Command {
  title: string;
  kind: string;
  run: () => void;
}

interface PaletteProps {
  projects: ProjectName[];
  uid: string | undefined;
  onClose: () => void;
}

const MOST = 12;

/** Finds pages, projects, commands, and a log by its id. */
export function Palette({ projects, uid, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const found = matching(commandsFor(projects, uid, text), text).slice(0, MOST);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') run(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Page, project, command or log id"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at] && `palette-${at}`}
        placeholder="Page, project, command or log id"
        autocomplete="off"
        spellcheck={false}
        value={text}
        ref={(element) => element?.focus()}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-list" role="listbox" aria-label="Results" class="options">
        {found.map((command, index) => (
          <li
            key={index}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(command)}
          >
            {command.title}
            <span class="muted">{command.kind}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="muted">Nothing matches. Try the name of a page, such as “logs”.</p>}
    </Dialog>
  );
}

function commandsFor(projects: ProjectName[], uid: string | undefined, text: string): Command[] {
  const current = session.get();
  const pages = [...PROJECT_PAGES, ...ADMIN_PAGES].filter(({ mayOpen }) => current && mayOpen(current));
  const id = text.trim().toLowerCase();
  return [
    ...(uid !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
      ? [{ title: id, kind: 'Log', run: () => go(linkTo([uid, 'logs', id])) }]
      : []),
    ...(uid === undefined
      ? []
      : pages.map(({ title, link }) => ({ title, kind: 'Page', run: () => go(link(uid)) }))),
    ...projects.map(({ uid: other, name }) => ({
      title: name,
      kind: 'Project',
      run: () => go(linkTo([other, 'logs'])),
    })),
    { title: 'Change the theme', kind: 'Command', run: cycleTheme },
    { title: 'API documentation', kind: 'Command', run: () => location.assign('/docs') },
    { title: 'Sign out', kind: 'Command', run: () => void signOut() },
  ];
}

/** The commands whose title contains all letters of the text in this order, the closest match first. */
function matching(commands: Command[], text: string): Command[] {
  const letters = text.trim().toLowerCase();
  const distance = ({ title }: Command) => {
    const name = title.toLowerCase();
    if (name.includes(letters)) return name.indexOf(letters);
    let at = -1;
    for (const letter of letters) {
      at = name.indexOf(letter, at + 1);
      if (at === -1) return Infinity;
    }
    return 100 + at;
  };
  return commands
    .map((command) => ({ command, distance: distance(command) }))
    .filter((one) => one.distance < Infinity)
    .sort((a, b) => a.distance - b.distance)
    .map(({ command }) => command);
}
