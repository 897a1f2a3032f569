import { render } from 'preact';
import { App } from './app/app.tsx';
import { place } from './app/router.ts';
import { hasSignedInBefore } from './app/session.ts';
import { applyTheme } from './app/theme.ts';
import { filterOf } from './logs/filter.ts';
import { listFor, sortOf } from './logs/log-list.ts';

/** Loads the first logs while the page still asks who is signed in. */
function askAhead(): void {
  const { path, query } = place.get();
  const [projectUid, page] = path;
  if (projectUid === undefined || page !== 'logs' || !hasSignedInBefore()) return;
  void listFor(projectUid, filterOf(query), sortOf(query)).loadMore();
}

applyTheme();
askAhead();
render(<App />, document.getElementById('app') as HTMLElement);
