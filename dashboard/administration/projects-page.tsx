import { useState } from 'preact/hooks';
import { type Answer, call, callWhole } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { projectsChanged } from '../app/projects.ts';
import { go, linkTo } from '../app/router.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { Shown } from '../ui/states.tsx';
import { useSaving } from '../ui/use-saving.ts';
import { Owner } from './owner.tsx';

type Project = Answer<'GET /api/projects'>['data'][number];

export function ProjectsPage() {
  const projects = useLoad('all projects', (signal) => call('GET /api/projects', { signal }));
  const [editing, setEditing] = useState<Project | 'new'>();
  const [removing, setRemoving] = useState<Project>();
  const reload = () => {
    projects.reload();
    projectsChanged();
  };
  const remove = async ({ uid }: Project) => {
    await call('DELETE /api/projects/{uid}', { params: { uid } });
    reload();
  };
  return (
    <section class="page narrow-page" aria-label="Projects">
      <header class="page-head">
        <h1>Projects</h1>
        <Button icon="plus" onClick={() => setEditing('new')}>
          New project
        </Button>
      </header>
      <Shown of={projects} what="projects">
        {({ data }) => (
          <ul class="cards">
            {data.map((project) => (
              <li key={project.uid} class="card">
                <div class="row-between">
                  <h2>
                    <a href={linkTo(['admin', 'endpoints', project.uid])}>{project.name}</a>
                  </h2>
                  <span class="tools">
                    {!project.enabled && <span class="tag">disabled</span>}
                    <Owner managedBy={project.managed_by} />
                    {project.managed_by === 'api' && (
                      <>
                        <Button small label={`Edit ${project.name}`} onClick={() => setEditing(project)}>
                          Edit
                        </Button>
                        <Button
                          small
                          quiet
                          icon="trash"
                          label={`Remove the project ${project.name}`}
                          onClick={() => setRemoving(project)}
                        />
                      </>
                    )}
                  </span>
                </div>
                <p class="muted">
                  <code>{project.uid}</code>
                  {project.retention_days !== null && ` · logs are kept for ${project.retention_days} days`}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      {editing && (
        <ProjectDialog
          project={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onDone={(made) => {
            setEditing(undefined);
            reload();
            if (made !== undefined) go(linkTo(['admin', 'endpoints', made]));
          }}
        />
      )}
      {removing && (
        <Confirm
          title={`Remove the project ${removing.name}?`}
          text="Its keys and endpoints are removed too. Its logs stay in MongoDB."
          action="Remove"
          onClose={() => setRemoving(undefined)}
          onConfirm={() => remove(removing)}
        />
      )}
    </section>
  );
}

interface ProjectDialogProps {
  project: Project | undefined;
  onClose: () => void;
  /** Called at the end, with the uid of a project that was made. */
  onDone: (made?: string) => void;
}

function ProjectDialog({ project, onClose, onDone }: ProjectDialogProps) {
  const [name, setName] = useState(project?.name ?? '');
  const [days, setDays] = useState(project?.retention_days?.toString() ?? '');
  const [enabled, setEnabled] = useState(project?.enabled ?? true);
  const { busy, problem, save } = useSaving();
  const daysError =
    days === '' || (/^\d+$/.test(days) && Number(days) > 0) ? undefined : 'must be a whole number above 0';
  const submit = (event: Event) => {
    event.preventDefault();
    const body = { name, enabled, retention_days: days === '' ? null : Number(days) };
    void save(async () => onDone(await saveProject(project?.uid, body)));
  };
  return (
    <Dialog title={project === undefined ? 'New project' : `Project ${project.name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="Name" error={problem}>
          <TextInput value={name} onInput={setName} autofocus />
        </Field>
        <Field label="Keep logs for (days)" hint="Leave empty to keep logs forever." error={daysError}>
          <TextInput type="number" value={days} onInput={setDays} />
        </Field>
        <div class="choices">
          <label>
            <input type="checkbox" checked={enabled} onChange={() => setEnabled(!enabled)} />
            Enabled
          </label>
        </div>
        <footer>
          <Button primary submit busy={busy} disabled={name.trim() === '' || daysError !== undefined}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

async function saveProject(
  uid: string | undefined,
  body: { name: string; enabled: boolean; retention_days: number | null },
): Promise<string | undefined> {
  if (uid === undefined) return (await call('POST /api/projects', { body })).uid;
  const { etag } = await callWhole('GET /api/projects/{uid}', { params: { uid } });
  await call('PUT /api/projects/{uid}', { params: { uid }, body, headers: { 'if-match': etag ?? '*' } });
  return undefined;
}
