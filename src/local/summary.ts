import { type OwnProject, ownTour } from './own-projects.js';
import type { TourStop } from './tour.js';

/** What `npm start` prints once everything is ready. */
export interface Summary {
  gatewayUrl: string;
  adminUrl: string;
  /** The folder of the parts' log files. */
  logDirectory: string;
  /** The generated admin key; undefined where the operator has set one. */
  adminKey: string | undefined;
  demo: { project: string; key: string; stops: TourStop[] } | undefined;
  /** The projects of the operator's own configuration; empty where the demo runs. */
  projects: OwnProject[];
}

/** The lines for the terminal. Commands to paste are in lines of their own that are not indented. */
export function summaryLines(options: Summary): string[] {
  const { gatewayUrl, adminUrl, demo } = options;
  const rows: [string, string][] = [];
  if (demo !== undefined) rows.push(...baseUrls(gatewayUrl, demo.project));
  for (const project of options.projects) rows.push(...projectRows(gatewayUrl, project));
  if (rows.length === 0) rows.push(...baseUrls(gatewayUrl, '<project uid>'));
  rows.push(['Admin', `${adminUrl}/ (dashboard), ${adminUrl}/docs (API)`]);
  if (demo !== undefined) rows.push(['API key', `${demo.key} (model: demo)`]);
  if (options.adminKey !== undefined) rows.push(['Admin key', options.adminKey]);
  rows.push(['Log files', options.logDirectory]);
  const width = Math.max(19, ...rows.map(([name]) => name.length));
  return [
    '',
    ...rows.map(([name, value]) => `${name.padEnd(width)} ${value}`),
    ...tourLines(demo?.stops ?? ownTour(options.projects, options)),
    '',
    'Ctrl-C lets running requests finish, then stops everything.',
  ];
}

function baseUrls(gatewayUrl: string, project: string): [string, string][] {
  return [
    ['OpenAI base URL', `${gatewayUrl}/${project}/openai/v1`],
    ['Anthropic base URL', `${gatewayUrl}/${project}/anthropic`],
    ['Gemini base URL', `${gatewayUrl}/${project}/gemini`],
  ];
}

function projectRows(gatewayUrl: string, { uid, name, keys, endpoints }: OwnProject): [string, string][] {
  const models = endpoints.length === 0 ? 'no endpoint yet' : `model: ${endpoints.join(', ')}`;
  const named = keys.length === 0 ? 'none yet' : keys.join(', ');
  return [
    ...baseUrls(gatewayUrl, uid).map(([label, url]): [string, string] => [`${name}: ${label}`, url]),
    [`${name}: API keys`, `${named} (${models})`],
  ];
}

function tourLines(stops: Omit<TourStop, 'shows'>[]): string[] {
  if (stops.length === 0) return [];
  const lines = ['', 'A tour. Paste the commands into another terminal:'];
  for (const stop of stops) lines.push('', `# ${stop.title}`, ...stop.commands);
  return lines;
}
