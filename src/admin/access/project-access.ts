import { SluiceError } from '../../core/errors.js';
import { isUuid } from '../../core/ids.js';
import type { AdminDependencies } from '../dependencies.js';

/** The project, if the file has it. Does not ask MongoDB. */
function fileProject({ directory }: AdminDependencies, uid: string) {
  const project = directory.project(uid);
  return project?.managed_by === 'file' ? project : undefined;
}

/** The project's uid as it is stored. Throws `not_found` where neither the file nor the API has the project. */
export async function requireProject(dependencies: AdminDependencies, uid: string): Promise<string> {
  const known = uid.toLowerCase();
  if (fileProject(dependencies, known)) return known;
  const stored = isUuid(known) && (await dependencies.store.administration.projects.find({ _id: known }));
  if (!stored) throw unknownProject(uid);
  return known;
}

function unknownProject(uid: string): SluiceError {
  return new SluiceError('not_found', `There is no project ${uid}.`);
}

/** Applies a change in this process at once. Other processes learn of it from MongoDB. */
export async function applyChange({ directory, logger }: AdminDependencies): Promise<void> {
  try {
    await directory.refresh();
  } catch (error) {
    // The change is stored even if this fails: the directory will read it as soon as it can.
    logger.warn({ err: error }, 'a configuration change takes effect later');
  }
}
