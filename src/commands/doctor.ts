import { pino } from 'pino';
import { examine, type Patient } from '../app/doctor/examine.js';
import { type Finding, problem, skipped, warning } from '../app/doctor/finding.js';
import { openStorage } from '../app/storage.js';
import { mongodbUriOf } from '../config/addresses.js';
import { type Mistake, renderMistake } from '../config/mistakes.js';
import { warningsOf } from '../config/read.js';
import { isAddedByStart, withInstance } from '../local/processes/instance.js';
import type { Role } from '../process/role.js';
import { readConfiguration, readSoundConfiguration } from './configuration.js';

export interface DoctorOptions {
  config?: string;
  role: Role;
  /** Whether to print the findings as JSON, for programs. */
  json?: boolean;
}

const MARKS = { ok: '✓', warning: '!', problem: '✗', skipped: '-' };

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
  const env = withInstance(own, file);
  let mistakes = '';
  const report = (text: string) => {
    mistakes = text;
  };
  const configuration = await readConfiguration({ env, report });
  if (configuration !== undefined) {
    const { config, environment, plugins, read, options } = configuration;
    await plugins().close();
    const warnings = warningsOf(read, options.file).filter(({ path }) => !isAddedByStart(options.file, path));
    return [...warnings.map(warningOf), ...(await examineWith({ role, config, environment, env }))];
  }
  const remedy =
    env.SLUICE_CONFIG === undefined
      ? 'name the file that the engine serves. Beside `npm start`, set SLUICE_DATA_DIR to its data directory instead'
      : 'correct the mistakes: an engine does not start with this file';
  const wrong = problem('configuration', mistakes, remedy);
  const sound = await readSoundConfiguration(env);
  if (sound === undefined) return [wrong];
  const { config, environment, warnings, leftOut } = sound;
  const without = leftOut === undefined ? 'the file' : leftOut.join(', ') || 'plugins';
  return [
    wrong,
    ...warnings.map(warningOf),
    skipped('configuration', `the checks below leave out ${without}`),
    ...(await examineWith({ role, config, environment, env, isPartial: true })),
  ];
}

/** In a file with mistakes, the setting that an engine uses an admin service and no MongoDB may be unreadable. */
async function examineWith(patient: Omit<Patient, 'store'>): Promise<Finding[]> {
  const { role, config, environment, isPartial = false } = patient;
  if (isPartial && role === 'engine') return examine(patient);
  const storage = openStorage({
    role,
    config,
    key: () => config.directory.key,
    uri: mongodbUriOf(environment),
    logger: pino({ level: 'silent' }),
  });
  try {
    return await examine({ ...patient, store: storage.store });
  } finally {
    await storage.close();
  }
}

function warningOf(mistake: Mistake): Finding {
  return warning('configuration', renderMistake(mistake));
}

function lineOf({ check, status, detail, remedy }: Finding): string {
  return `${MARKS[status]} ${check}: ${detail}${remedy === undefined ? '' : `\n    → ${remedy}`}`;
}
