/**
 * A file cannot be read: it is too large, nested too deep, or of another form. The message is for operators and
 * starts with a verb: `has …`, `is …`.
 */
export class UnreadableFile extends Error {}
