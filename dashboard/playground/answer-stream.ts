import { callPart, type Part, type Turn } from '../log/conversation.ts';

/** Collects the texts and tool calls of a stream of any of the three APIs. A chunk may end anywhere in an event. */
export class AnswerStream {
  readonly #decoder = new TextDecoder();
  #rest = '';
  /** The tool calls by the index that the events give them. */
  readonly #calls = new Map<number, { name: string; parameters: string }>();
  /** The text so far. */
  text = '';
  /** The error that ended the stream. */
  error: string | undefined;

  /** Text and calls so far as one turn; empty while nothing was called, because the text alone is enough then. */
  get turns(): Turn[] {
    if (this.#calls.size === 0) return [];
    const said: Part[] = this.text === '' ? [] : [{ kind: 'text', text: this.text }];
    const calls = [...this.#calls.values()].map(({ name, parameters }) => callPart(name, parameters));
    return [{ role: 'assistant', parts: [...said, ...calls] }];
  }

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
      return; // Other data, such as a comment, is not needed.
    }
    if (event.error) this.error = event.error.message ?? 'The stream ended with an error.';
    const { type, delta, index = 0, output_index = 0 } = event;
    const choice = event.choices?.[0]?.delta;
    const piece =
      choice?.content ??
      (type === 'response.output_text.delta' ? delta : undefined) ??
      (typeof delta === 'object' ? delta.text : undefined);
    if (typeof piece === 'string') this.text += piece;
    for (const call of choice?.tool_calls ?? []) {
      this.#call(call.index ?? 0, call.function?.name, call.function?.arguments);
    }
    if (event.item?.type === 'function_call' && type === 'response.output_item.added') {
      this.#call(output_index, event.item.name);
    }
    if (type === 'response.function_call_arguments.delta' && typeof delta === 'string') {
      this.#call(output_index, undefined, delta);
    }
    if (event.content_block?.type === 'tool_use') this.#call(index, event.content_block.name);
    if (typeof delta === 'object' && delta.partial_json !== undefined) {
      this.#call(index, undefined, delta.partial_json);
    }
  }

  #call(place: number, name = '', parameters = ''): void {
    const call = this.#calls.get(place) ?? { name: '', parameters: '' };
    this.#calls.set(place, { name: call.name + name, parameters: call.parameters + parameters });
  }
}

interface Event {
  type?: string;
  error?: { message?: string };
  index?: number;
  output_index?: number;
  delta?: string | { text?: string; partial_json?: string };
  content_block?: Named;
  item?: Named;
  choices?: {
    delta?: {
      content?: string | null;
      tool_calls?: { index?: number; function?: { name?: string; arguments?: string } }[];
    };
  }[];
}

interface Named {
  type?: string;
  name?: string;
}
