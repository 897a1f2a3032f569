import { SluiceError } from '../../core/errors.js';

/** What stands in sluice.yaml is shown here and changed there. */
export function managedByFile(what: string): SluiceError {
  return new SluiceError('managed_by_file', `The ${what} stands in sluice.yaml. Change it there.`);
}
