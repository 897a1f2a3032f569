/** A file is larger, deeper or other than what is read. The message is for operators: `has …`, `is …`. */
export class UnreadableFile extends Error {}
