import { send } from '../api/client.ts';
import type { Schemas } from '../generated/api.ts';
import { answerText, answerTurns, type Turn as ShownTurn } from '../log/conversation.ts';
import { AnswerStream } from './answer-stream.ts';
import { type Asked, requestOf } from './request.ts';

export interface Result {
  logId: string | null;
  /** The model that answered, as `provider/model`. */
  model: string | null;
  status: number;
  text: string;
  /** The answer as turns, for a complete answer and for one with tool calls. */
  turns: ShownTurn[];
  error: string | undefined;
  ms: number;
  running: boolean;
}

export const failed = (error: string): Result => ({
  logId: null,
  model: null,
  status: 0,
  text: '',
  turns: [],
  error,
  ms: 0,
  running: false,
});

/** Sends the request as any client would, and reports each step. Resolves with the last step. */
export async function ask(
  projectUid: string,
  asked: Asked,
  signal: AbortSignal,
  onResult: (result: Result) => void,
): Promise<Result> {
  const start = performance.now();
  let result: Result = { ...failed(''), error: undefined, running: true };
  const show = (change: Partial<Result>): Result => {
    result = { ...result, ...change, ms: performance.now() - start };
    onResult(result);
    return result;
  };
  show({});
  const response = await send(
    'POST /{project_uid}/playground',
    { params: { project_uid: projectUid }, body: { api: asked.api, request: requestOf(asked) }, signal },
    { errorsToo: true },
  );
  show({
    status: response.status,
    logId: response.headers.get('x-inference-log-id'),
    model: response.headers.get('x-sluice-model'),
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const body = (await response.json()) as Schemas['Error'] & object;
    const bodies = { api: asked.api, request: null, response: body };
    return show({
      text: answerText(bodies),
      turns: answerTurns(bodies),
      error: response.ok ? undefined : body.error?.message,
      running: false,
    });
  }
  const stream = new AnswerStream();
  const reader = response.body?.getReader();
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    stream.add(piece.value);
    show({ text: stream.text, turns: stream.turns, error: stream.error });
  }
  return show({ running: false });
}
