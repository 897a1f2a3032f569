import { pino } from 'pino';
import { examine } from '../app/doctor/examine.js';
import { type Finding, problem } from '../app/doctor/finding.js';
import { openStorage } from '../app/storage.js';
import { mongodbUriOf } from '../config/addresses.js';
import { besideInstance } from '../local/processes/instance.js';
import type { Role } from '../process/role.js';
import { readConfiguration } from './configuration.js';

export interface DoctorOptions {
  config?: string;
  role: Role;
  /** The findings as JSON, for programs. */
  json?: boolean;
}

const MARKS = { ok: '✓', problem: '✗', skipped: '-' };

/** Checks a deployment from inside, with its own environment. Returns 0 only when there is no problem. */
export async function doctor({ config: file, role, json = false }: DoctorOptions): Promise<number> {
  const findings = await findingsOf(file, role);
  const healthy = findings.every(({ status }) => status !== 'problem');
  if (json) console.log(JSON.stringify({ healthy, findings }, null, 2));
  else for (const finding of findings) console.log(lineOf(finding));
  return healthy ? 0 : 1;
}

export async function findingsOf(
  file: string | undefined,
  role: Role,
  own: NodeJS.ProcessEnv = process.env,
): Promise<Finding[]> {
  const env = besideInstance(own, file);
  let mistakes = '';
  const configuration = await readConfiguration(undefined, undefined, env, (text) => {
    mistakes = text;
  });
  if (configuration === undefined) {
    return [problem('configuration', mistakes, 'mend that; the rest can be looked at then')];
  }
  const { config, environment, plugins } = configuration;
  await plugins().close();
  const storage = openStorage({
    role,
    config,
    key: () => config.directory.key,
    uri: mongodbUriOf(environment),
    logger: pino({ level: 'silent' }),
  });
  try {
    return await examine({ role, config, environment, env, store: storage.store });
  } finally {
    await storage.close();
  }
}

function lineOf({ check, status, detail, remedy }: Finding): string {
  return `${MARKS[status]} ${check}: ${detail}${remedy === undefined ? '' : `\n    → ${remedy}`}`;
}
