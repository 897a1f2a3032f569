/** Whether bytes are a small part of the memory that they keep: a view keeps all of the buffer that it is a view of. */
export function isSmallPart(bytes: Buffer): boolean {
  return bytes.length < bytes.buffer.byteLength / 8;
}
