/** All pages but the list of logs, with which most visits begin. Their script is one file that is loaded after it. */
export { AuditPage } from '../administration/audit-page.tsx';
export { EndpointsPage } from '../administration/endpoints-page.tsx';
export { ProjectsPage } from '../administration/projects-page.tsx';
export { ExportsPage } from '../exports/exports-page.tsx';
export { JudgingPage } from '../judging/judging-page.tsx';
export { LogPage } from '../log/log-page.tsx';
export { OverviewPage } from '../overview/overview-page.tsx';
export { PairsPage } from '../pairs/pairs-page.tsx';
export { PlaygroundPage } from '../playground/playground-page.tsx';
export { QueuePage } from '../queue/queue-page.tsx';
export { SessionPage } from '../session/session-page.tsx';
export { SpendPage } from '../spend/spend-page.tsx';
