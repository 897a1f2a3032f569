/** A number with its noun: `1 mistake`, `2 mistakes`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
