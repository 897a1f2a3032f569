/** The reason for the finding with this number, in sentences, from the plugin's `debug.decisions`. */
export function reasonOf(debug: unknown, index: number): string | undefined {
  const decisions = (debug as { decisions?: unknown } | undefined)?.decisions;
  const decision = Array.isArray(decisions) ? (decisions[index] as unknown) : undefined;
  if (typeof decision !== 'object' || decision === null) return undefined;
  const {
    entity_type: _type,
    place: _place,
    score,
    recognizer,
    pattern,
    base_score,
    validation,
    context_word,
    reason,
    ...rest
  } = decision as Record<string, unknown>;
  const sentences = [
    isGiven(recognizer) &&
      `Found by ${recognizer}${isGiven(pattern) ? ` with the pattern “${pattern}”` : ''}`,
    validation === 'passed' && 'The value passed its check, such as its check digits',
    validation === 'failed' && 'The value failed its check, such as its check digits',
    isGiven(context_word) && `The word “${context_word}” beside it changed the score`,
    isGiven(base_score) && base_score !== score && `Its score was ${base_score} at first`,
    isGiven(reason) && `The detector noted: ${reason}`,
    ...Object.entries(rest).map(
      ([name, value]) => isGiven(value) && `${capitalized(name.replaceAll('_', ' '))}: ${shown(value)}`,
    ),
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? undefined : `${sentences.join('. ')}.`;
}

function isGiven(value: unknown): boolean {
  return !(
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  );
}

function shown(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
