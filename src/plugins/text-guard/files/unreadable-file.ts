/**
 * A file cannot be read: it is too large, nested too deep, or of an unknown form. The message is for operators and
 * begins with a verb: `has …`, `is …`.
 */
export class UnreadableFile extends Error {}
