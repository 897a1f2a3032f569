import { InvalidArgumentError } from 'commander';
import { DETECTOR_PARTS, type DetectorPart } from '../pii/parts.js';

/* How the texts of options are read. A text that cannot be one of its option is an error of the command line. */

/** A number of seconds, up to a day. */
export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 86_400)) {
    throw new InvalidArgumentError('a number of seconds was expected');
  }
  return value;
}

/** A number from 1 on. */
export function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,9}$/.test(text)) throw new InvalidArgumentError('a number from 1 on was expected');
  return Number(text);
}

/** Names with commas between them. */
export function namesOf(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

/** Parts of the detector, with commas between them. */
export function partsOf(text: string): DetectorPart[] {
  return text.split(',').map((name) => {
    const part = DETECTOR_PARTS.find((one) => one === name.trim());
    if (part === undefined)
      throw new InvalidArgumentError(`parts were expected, of: ${DETECTOR_PARTS.join(', ')}`);
    return part;
  });
}

/** A number from 0 to 1. */
export function fraction(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) {
    throw new InvalidArgumentError('a number from 0 to 1 was expected');
  }
  return value;
}
