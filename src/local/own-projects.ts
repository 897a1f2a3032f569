import { parse } from 'yaml';
import { isJsonObject, type JsonValue } from '../core/json.js';
import type { TourStop } from './tour.js';

/** A project in the operator's own configuration file. */
export interface OwnProject {
  uid: string;
  name: string;
  keys: string[];
  endpoints: string[];
}

/** The projects in a configuration file. Entries of another form are skipped, because the engine reports them. */
export function ownProjects(text: string): OwnProject[] {
  let file: JsonValue;
  try {
    file = parse(text) as JsonValue;
  } catch {
    return [];
  }
  return objectsOf(file, 'projects').flatMap((project) => {
    const { uid, name } = project;
    if (typeof uid !== 'string' || typeof name !== 'string') return [];
    return [{ uid, name, keys: namesOf(project, 'api_keys'), endpoints: namesOf(project, 'endpoints') }];
  });
}

/** The first commands to paste for the operator's own configuration. They do not contain the operator's key. */
export function ownTour(
  projects: readonly OwnProject[],
  { gatewayUrl, adminUrl }: { gatewayUrl: string; adminUrl: string },
): Omit<TourStop, 'shows'>[] {
  const project = projects.find(({ keys, endpoints }) => keys.length > 0 && endpoints.length > 0);
  if (project === undefined) return [];
  const { uid, keys, endpoints } = project;
  const body = JSON.stringify({ model: endpoints[0], messages: [{ role: 'user', content: 'Hello!' }] });
  const quoted = `'${body.replaceAll("'", "'\\''")}'`;
  const key = `-H "authorization: Bearer $KEY"`;
  const send = `${key} -H 'content-type: application/json' -d`;
  return [
    {
      title: `Run this, type or paste the key "${keys[0]}" of ${project.name} (it stays invisible), and press Enter`,
      commands: ['read -rs KEY'],
    },
    {
      title: 'An answer',
      commands: [`curl -s ${gatewayUrl}/${uid}/openai/v1/chat/completions ${send} ${quoted}; echo`],
    },
    {
      title: 'The newest logs, for a key with the scope "logs"',
      commands: [`curl -s "${adminUrl}/${uid}/logs?limit=3" ${key}; echo`],
    },
  ];
}

function objectsOf(value: JsonValue | undefined, member: string) {
  const list = isJsonObject(value) ? value[member] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function namesOf(value: JsonValue, member: string): string[] {
  return objectsOf(value, member).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}
