/**
 * Questions about a UTF-16 unit. For a few units at one place, these functions take a tenth of the time of a pattern.
 */

export function isDigitUnit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

export function isHexUnit(unit: number): boolean {
  const small = unit | 0x20;
  return isDigitUnit(unit) || (small >= 0x61 && small <= 0x66);
}
