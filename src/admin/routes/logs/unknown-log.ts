import { SluiceError } from '../../../core/errors.js';

export function unknownLog(id: string): SluiceError {
  return new SluiceError('not_found', `There is no log ${id} in this project.`);
}
