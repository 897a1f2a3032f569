import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure, Loading } from '../ui/states.tsx';

type Pages = typeof import('./other-pages.ts');

const IDLE_MS = 1500;
let pages: Pages | undefined;

async function loadPages(): Promise<void> {
  pages ??= await import('./other-pages.ts');
}

/** A page whose script is loaded when it is opened, or earlier when the browser is idle. */
export function lazyPage<Props extends object>(
  pick: (pages: Pages) => ComponentType<Props>,
): ComponentType<Props> {
  return function LazyPage(props: Props) {
    const [, draw] = useState(0);
    const [error, setError] = useState<Error>();
    useEffect(() => {
      if (pages === undefined) loadPages().then(() => draw(1), setError);
    }, []);
    if (pages !== undefined) {
      const Page = pick(pages);
      return <Page {...props} />;
    }
    // After an update the server no longer has the scripts of this page's version.
    if (error !== undefined) return <Failure error={error} onRetry={() => location.reload()} />;
    return <Loading what="the page" />;
  };
}

/** Loads the other pages before one is opened, so that it opens at once. Returns the function that cancels it. */
export function loadPagesWhenIdle(): () => void {
  // A page that cannot be loaded now is loaded when it is opened.
  const timer = setTimeout(() => void loadPages().catch(() => {}), IDLE_MS);
  return () => clearTimeout(timer);
}
