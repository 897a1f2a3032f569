import type { IconName } from '../ui/icon.tsx';
import { linkTo } from './router.ts';
import type { Session } from './session.ts';

export interface PageEntry {
  name: string;
  title: string;
  icon: IconName;
  link: (projectUid: string) => string;
  mayOpen: (session: Session) => boolean;
}

const ofProject = (name: string) => (uid: string) => linkTo([uid, name]);
const forAll = () => true;
const forAdmins = ({ kind }: Session) => kind === 'admin';

/** The links at the side of the page, in this order. */
export const PROJECT_PAGES: PageEntry[] = [
  { name: 'logs', title: 'Logs', icon: 'logs', link: ofProject('logs'), mayOpen: forAll },
  { name: 'queue', title: 'Queue', icon: 'queue', link: ofProject('queue'), mayOpen: forAll },
  { name: 'pairs', title: 'Pairs', icon: 'pairs', link: ofProject('pairs'), mayOpen: forAll },
  { name: 'judging', title: 'Judging', icon: 'check', link: ofProject('judging'), mayOpen: forAll },
  { name: 'overview', title: 'Overview', icon: 'overview', link: ofProject('overview'), mayOpen: forAll },
  { name: 'spend', title: 'Spend', icon: 'spend', link: ofProject('spend'), mayOpen: forAll },
  { name: 'exports', title: 'Exports', icon: 'exports', link: ofProject('exports'), mayOpen: forAll },
  {
    name: 'playground',
    title: 'Playground',
    icon: 'playground',
    link: ofProject('playground'),
    mayOpen: ({ kind, scopes }) => kind === 'admin' || scopes.includes('inference'),
  },
];

export const ADMIN_PAGES: PageEntry[] = [
  {
    name: 'endpoints',
    title: 'Endpoints and keys',
    icon: 'link',
    link: (uid) => linkTo(['admin', 'endpoints', uid]),
    mayOpen: forAdmins,
  },
  {
    name: 'projects',
    title: 'Projects',
    icon: 'projects',
    link: () => linkTo(['admin', 'projects']),
    mayOpen: forAdmins,
  },
  {
    name: 'audit',
    title: 'Audit trail',
    icon: 'audit',
    link: () => linkTo(['admin', 'audit']),
    mayOpen: forAdmins,
  },
];
