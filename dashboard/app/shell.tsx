import { useEffect, useState } from 'preact/hooks';
import { LogsPage } from '../logs/logs-page.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Shown } from '../ui/states.tsx';
import { Help } from './help.tsx';
import { useShortcuts } from './keyboard.ts';
import { lazyPage, loadPagesWhenIdle } from './lazy-page.tsx';
import { ADMIN_PAGES, type PageEntry, PROJECT_PAGES } from './pages.ts';
import { Palette } from './palette.tsx';
import { type ProjectName, rememberProject, startingProject, useProjects } from './projects.ts';
import { go, linkTo, place } from './router.ts';
import { session, signOut } from './session.ts';
import { useStore } from './store.ts';
import { cycleTheme, theme } from './theme.ts';

const AuditPage = lazyPage((pages) => pages.AuditPage);
const EndpointsPage = lazyPage((pages) => pages.EndpointsPage);
const ProjectsPage = lazyPage((pages) => pages.ProjectsPage);
const ExportsPage = lazyPage((pages) => pages.ExportsPage);
const JudgingPage = lazyPage((pages) => pages.JudgingPage);
const LogPage = lazyPage((pages) => pages.LogPage);
const OverviewPage = lazyPage((pages) => pages.OverviewPage);
const PairsPage = lazyPage((pages) => pages.PairsPage);
const PlaygroundPage = lazyPage((pages) => pages.PlaygroundPage);
const QueuePage = lazyPage((pages) => pages.QueuePage);
const SessionPage = lazyPage((pages) => pages.SessionPage);
const SpendPage = lazyPage((pages) => pages.SpendPage);

type Overlay = 'palette' | 'help' | 'side';

/** The page of a signed-in reader: the links at the side, and the view that the address names. */
export function Shell() {
  const { path } = useStore(place);
  const projects = useProjects();
  useEffect(loadPagesWhenIdle, []);
  // An address that names its project can be shown before the list of projects has arrived.
  const waits = projects.data === undefined && (path.length === 0 || projects.error !== undefined);
  if (waits)
    return (
      <Shown of={projects} what="projects">
        {() => null}
      </Shown>
    );
  return <Frame projects={projects.data ?? []} />;
}

function Frame({ projects }: { projects: ProjectName[] }) {
  const { path } = useStore(place);
  const here = path.join('/');
  const [opened, setOpened] = useState<{ what: Overlay; at: string }>();
  // A window that was opened on one page is not shown on the next page.
  const open = opened?.at === here ? opened.what : undefined;
  const setOpen = (what: Overlay | undefined) => setOpened(what && { what, at: here });
  const start = startingProject(projects);
  const isAdminPage = path[0] === 'admin';
  const uid = isAdminPage ? (path[2] ?? start) : path[0];
  useEffect(() => {
    if (path.length === 0 && start !== undefined) go(linkTo([start, 'logs']));
    if (!isAdminPage && path[0] !== undefined) rememberProject(path[0]);
  }, [here, start]);
  useShortcuts('Everywhere', [
    {
      key: 'ctrl+k',
      what: 'Find a page, a project or a command',
      run: () => setOpen('palette'),
      always: true,
    },
    { key: '?', what: 'Show the keyboard shortcuts', run: () => setOpen('help') },
  ]);
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <Button
          quiet
          icon="menu"
          label="Pages"
          expanded={open === 'side'}
          onClick={() => setOpen(open === 'side' ? undefined : 'side')}
        />
        <strong>Sluice</strong>
        <Button quiet icon="search" label="Find a page or a command" onClick={() => setOpen('palette')} />
      </header>
      <Side
        projects={projects}
        uid={uid}
        open={open === 'side'}
        onFind={() => setOpen('palette')}
        onHelp={() => setOpen('help')}
      />
      <main id="main" tabIndex={-1}>
        <Page projects={projects} />
      </main>
      {open === 'palette' && <Palette projects={projects} uid={uid} onClose={() => setOpen(undefined)} />}
      {open === 'help' && <Help onClose={() => setOpen(undefined)} />}
    </div>
  );
}

interface SideProps {
  projects: ProjectName[];
  uid: string | undefined;
  open: boolean;
  onFind: () => void;
  onHelp: () => void;
}

function Side({ projects, uid, open, onFind, onHelp }: SideProps) {
  const { path } = useStore(place);
  const current = useStore(session);
  const chosen = useStore(theme);
  if (!current) return null;
  const entries = (pages: PageEntry[]) =>
    uid !== undefined &&
    pages
      .filter(({ mayOpen }) => mayOpen(current))
      .map(({ name, title, icon, link }) => (
        <a key={name} href={link(uid)} aria-current={path[1] === name ? 'page' : undefined}>
          <Icon name={icon} />
          {title}
        </a>
      ));
  return (
    <nav class={open ? 'side open' : 'side'} aria-label="Pages">
      <div class="brand">
        <span class="mark" aria-hidden="true" />
        Sluice
      </div>
      {projects.length > 0 && (
        <select
          aria-label="Project"
          value={uid}
          onChange={(event) =>
            go(
              path[0] === 'admin'
                ? linkTo(['admin', 'endpoints', event.currentTarget.value])
                : linkTo([event.currentTarget.value, path[1] ?? 'logs']),
            )
          }
        >
          {projects.map((project) => (
            <option key={project.uid} value={project.uid}>
              {project.name}
            </option>
          ))}
        </select>
      )}
      <button type="button" class="find" onClick={onFind}>
        <Icon name="search" /> Find <kbd>Ctrl K</kbd>
      </button>
      <div class="pages">{entries(PROJECT_PAGES)}</div>
      {current.kind === 'admin' && ADMIN_PAGES.length > 0 && (
        <>
          <p class="side-title">Administration</p>
          <div class="pages">{entries(ADMIN_PAGES)}</div>
        </>
      )}
      <div class="side-end">
        <Button
          quiet
          small
          icon={chosen === 'dark' ? 'moon' : chosen === 'light' ? 'sun' : 'screen'}
          label={`Theme: ${chosen}`}
          onClick={cycleTheme}
        />
        <Button quiet small label="Keyboard shortcuts" onClick={onHelp}>
          ?
        </Button>
        <Button quiet small icon="out" onClick={() => void signOut()}>
          Sign out
        </Button>
      </div>
    </nav>
  );
}

function Page({ projects }: { projects: ProjectName[] }) {
  const { path } = useStore(place);
  const [first, name, id] = path;
  if (first === undefined) return projects.length > 0 ? null : <NoProject />;
  if (first === 'admin') return <AdminPage name={name} uid={id} />;
  switch (name) {
    case 'logs':
      return id === undefined ? <LogsPage projectUid={first} /> : <LogPage projectUid={first} id={id} />;
    case 'session':
      return id === undefined ? (
        <NoPage />
      ) : (
        <SessionPage projectUid={first} session={id} sessionKey={path[3]} />
      );
    case 'queue':
      return <QueuePage projectUid={first} />;
    case 'pairs':
      return <PairsPage projectUid={first} />;
    case 'judging':
      return <JudgingPage key={first} projectUid={first} />;
    case 'overview':
      return <OverviewPage projectUid={first} />;
    case 'spend':
      return <SpendPage projectUid={first} />;
    case 'exports':
      return <ExportsPage projectUid={first} />;
    case 'playground':
      return <PlaygroundPage projectUid={first} />;
    default:
      return <NoPage />;
  }
}

function AdminPage({ name, uid }: { name: string | undefined; uid: string | undefined }) {
  if (name === 'projects') return <ProjectsPage />;
  if (name === 'audit') return <AuditPage />;
  if (name === 'endpoints' && uid !== undefined) return <EndpointsPage key={uid} uid={uid} />;
  return <NoPage />;
}

function NoPage() {
  return (
    <section class="page" aria-label="No page">
      <h1>This page does not exist.</h1>
      <p>
        <a href="#/">Go to the start</a>
      </p>
    </section>
  );
}

function NoProject() {
  return (
    <Empty title="There is no project yet.">
      <a href={linkTo(['admin', 'projects'])}>Create a project</a>
    </Empty>
  );
}
