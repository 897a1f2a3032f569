import { SluiceError } from '../../core/errors.js';

/** The error for a change of an entry of sluice.yaml: the API shows such entries, but they are changed in the file. */
export function managedByFile(what: string): SluiceError {
  return new SluiceError('managed_by_file', `The ${what} is defined in sluice.yaml. Change it there.`);
}
