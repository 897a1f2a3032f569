import type { TourStop } from './tour.js';

/** What `npm start` tells once everything is ready. */
export interface Summary {
  gatewayUrl: string;
  adminUrl: string;
  /** Where what the parts print is kept. */
  logDirectory: string;
  /** Undefined: the operator gave one and knows it. */
  adminKey: string | undefined;
  /** Undefined: an own configuration is served, and its projects and keys are the operator's. */
  demo: { project: string; key: string; stops: TourStop[] } | undefined;
}

/** As lines for a terminal. Those to paste stand alone at the start of a line. */
export function summaryLines(options: Summary): string[] {
  const { gatewayUrl, adminUrl, demo } = options;
  const project = demo?.project ?? '<project uid>';
  const rows: [string, string][] = [
    ['OpenAI base URL', `${gatewayUrl}/${project}/openai/v1`],
    ['Anthropic base URL', `${gatewayUrl}/${project}/anthropic`],
    ['Gemini base URL', `${gatewayUrl}/${project}/gemini`],
    ['Admin', `${adminUrl}/ (dashboard), ${adminUrl}/docs (API)`],
  ];
  if (demo !== undefined) rows.push(['API key', `${demo.key} (model: demo)`]);
  if (options.adminKey !== undefined) rows.push(['Admin key', options.adminKey]);
  rows.push(['What parts print', options.logDirectory]);
  return [
    '',
    ...rows.map(([name, value]) => `${name.padEnd(19)} ${value}`),
    ...(demo === undefined ? [] : tourLines(demo.stops)),
    '',
    'Ctrl-C lets running requests finish, then ends everything.',
  ];
}

function tourLines(stops: TourStop[]): string[] {
  const lines = ['', 'A tour. Paste the commands into another terminal:'];
  for (const stop of stops) lines.push('', `# ${stop.title}`, ...stop.commands);
  return lines;
}
