import { useState } from 'preact/hooks';
import { type Answer, call } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { tellFailure } from '../edit/rating.tsx';
import { Button } from '../ui/button.tsx';
import { Moment } from '../ui/moment.tsx';
import { Empty, Shown } from '../ui/states.tsx';

type Entry = Answer<'GET /api/audit'>['data'][number];

const PAGE = 100;

/** Who changed what, newest first. */
export function AuditPage() {
  const first = useLoad('audit', (signal) => call('GET /api/audit', { query: { limit: PAGE }, signal }));
  return (
    <section class="page narrow-page" aria-label="Audit trail">
      <header class="page-head">
        <h1>Audit trail</h1>
      </header>
      <Shown of={first} what="the audit trail">
        {({ data, next_cursor }) =>
          data.length === 0 ? (
            <Empty title="There are no changes yet.">
              <p class="muted">Changes to projects, keys and endpoints are listed here.</p>
            </Empty>
          ) : (
            <Entries key={data[0]?.id} first={data} cursor={next_cursor} />
          )
        }
      </Shown>
    </section>
  );
}

function Entries({ first, cursor }: { first: Entry[]; cursor: string | null }) {
  const [state, setState] = useState({ entries: first, cursor });
  const more = async () => {
    const query = { limit: PAGE, cursor: state.cursor ?? undefined };
    const { data, next_cursor } = await call('GET /api/audit', { query });
    setState({ entries: [...state.entries, ...data], cursor: next_cursor });
  };
  return (
    <>
      <ul class="cards">
        {state.entries.map(({ id, at, actor, action, target, before, after }) => (
          <li key={id} class="card">
            <div class="row-between">
              <span>
                <strong>{action}</strong> <code>{target}</code> <span class="muted">by {actor}</span>
              </span>
              <span class="muted">
                <Moment at={at} />
              </span>
            </div>
            {(before !== null || after !== null) && (
              <details class="fold">
                <summary>What changed</summary>
                <div class="side-by-side">
                  <pre tabIndex={0}>
                    {before === null ? 'It did not exist.' : JSON.stringify(before, null, 2)}
                  </pre>
                  <pre tabIndex={0}>
                    {after === null ? 'It was removed.' : JSON.stringify(after, null, 2)}
                  </pre>
                </div>
              </details>
            )}
          </li>
        ))}
      </ul>
      {state.cursor !== null && <Button onClick={() => void more().catch(tellFailure)}>Show older</Button>}
    </>
  );
}
