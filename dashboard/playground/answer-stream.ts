/** The texts in a stream of any of the three APIs, as they come. Events may be cut anywhere. */
export class AnswerStream {
  readonly #decoder = new TextDecoder();
  #rest = '';
  /** What was said so far. */
  text = '';
  /** What went wrong in the stream. */
  error: string | undefined;

  add(bytes: Uint8Array): void {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    const lines = this.#rest.split(/\r?\n/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) this.#read(line.slice(5).trim());
  }

  #read(data: string): void {
    if (data === '[DONE]') return;
    let event: Event;
    try {
      event = JSON.parse(data) as Event;
    } catch {
      return; // Not for us.
    }
    if (event.error) this.error = event.error.message ?? 'The stream ended with an error.';
    const { delta } = event;
    const piece =
      event.choices?.[0]?.delta?.content ??
      (event.type === 'response.output_text.delta' ? delta : undefined) ??
      (typeof delta === 'object' ? delta?.text : undefined);
    if (typeof piece === 'string') this.text += piece;
  }
}

interface Event {
  type?: string;
  error?: { message?: string };
  delta?: string | { text?: string };
  choices?: { delta?: { content?: string | null } }[];
}
