import { SluiceError } from '../../core/errors.js';

/** Entries of sluice.yaml are shown by the API and changed in the file. */
export function managedByFile(what: string): SluiceError {
  return new SluiceError('managed_by_file', `The ${what} is defined in sluice.yaml. Change it there.`);
}
