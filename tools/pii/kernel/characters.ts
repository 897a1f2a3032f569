/** What is known of a UTF-16 unit: copies of the tables of `src/pii/model/characters.ts`, which fills them. */

export const CLASS_OTHER = 0;
export const CLASS_LETTER = 1;
export const CLASS_DIGIT = 2;
export const CLASS_SPACE = 3;
export const CLASS_NEWLINE = 4;
export const CLASS_UPPER = 5;
export const CLASS_MARK = 6;

const UNITS_OF_UTF16 = 0x10000;
export const CLASSES: usize = memory.data(UNITS_OF_UTF16, 16);
export const LOWER_UNITS: usize = memory.data(2 * UNITS_OF_UTF16, 16);
export const BASE_UNITS: usize = memory.data(2 * UNITS_OF_UTF16, 16);

export function classOf(unit: i32): i32 {
  return load<u8>(CLASSES + unit);
}

export function lowerOf(unit: i32): i32 {
  return load<u16>(LOWER_UNITS + (unit << 1));
}

/** In lower case and without accents. */
export function baseOf(unit: i32): i32 {
  return load<u16>(BASE_UNITS + (unit << 1));
}

/** A hyphen or an apostrophe. */
export function isJoinUnit(unit: i32): bool {
  return unit === 0x2d || unit === 0x27 || unit === 0x2019;
}
