/** The prefix of a gRPC message: one byte says whether it is compressed, four are its length. */
export const PREFIX_BYTES = 5;

export function writePrefix(target: Buffer, at: number, length: number): void {
  target[at] = 0;
  target.writeUInt32BE(length, at + 1);
}
