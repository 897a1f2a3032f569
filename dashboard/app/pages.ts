import type { IconName } from '../ui/icon.tsx';
import { linkTo } from './router.ts';
import type { Session } from './session.ts';

export interface PageEntry {
  name: string;
  title: string;
  icon: IconName;
  link: (projectUid: string) => string;
  /** Pressed after `g`. */
  key: string;
  mayOpen: (session: Session) => boolean;
}

const ofProject = (name: string) => (uid: string) => linkTo([uid, name]);
const forAll = () => true;
const forAdmins = ({ kind }: Session) => kind === 'admin';

/** What the side of the page leads to, in this order. */
export const PROJECT_PAGES: PageEntry[] = [
  { name: 'logs', title: 'Logs', icon: 'logs', link: ofProject('logs'), key: 'l', mayOpen: forAll },
];

export const ADMIN_PAGES: PageEntry[] = [];

export { forAdmins, forAll, ofProject };
