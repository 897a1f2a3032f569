import { createStore } from './store.ts';

/** The current view, from what follows `#` in the address, so that each view has a link. */
export interface Place {
  /** The parts of the path, decoded. */
  path: string[];
  query: URLSearchParams;
}

export const place = createStore<Place>(readPlace(location.hash));

addEventListener('hashchange', () => place.set(readPlace(location.hash)));

function readPlace(hash: string): Place {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#/, ''), '?');
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decode),
    query: new URLSearchParams(query),
  };
}

export function linkTo(path: string[], query?: URLSearchParams | Record<string, string>): string {
  const parameters = new URLSearchParams(query).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${parameters === '' ? '' : `?${parameters}`}`;
}

export function go(link: string): void {
  location.hash = link;
}

/** Changes the address without adding a step to the history, for example while the reader types. */
export function replaceWith(link: string): void {
  history.replaceState(null, '', link);
  place.set(readPlace(link));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function splitOnce(text: string, at: string): [string, string?] {
  const index = text.indexOf(at);
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}
