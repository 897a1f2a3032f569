import type { Answer } from '../../core/answer.js';
import type { JsonValue } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { Dialect } from '../dialect.js';
import { answerFromOutputTool, createOutputToolReader } from './output-tool.js';

/**
 * A dialect for a model whose structured output is a forced tool call: the arguments of the call are read as the text
 * of the answer. It differs from the client's dialect, so answers are written anew.
 */
export function outputToolDialect(dialect: Dialect, name: string): Dialect {
  return {
    ...dialect,
    readAnswer: (value) => readOutput(value, dialect, name),
    createDecoder: () => {
      const decoder = dialect.createDecoder();
      const read = createOutputToolReader(name);
      return { decode: (frame) => decoder.decode(frame).flatMap(read) };
    },
    // A text can move from one frame to another, so it cannot be replaced in its frame.
    guardsWhole: true,
  };
}

function* readOutput(value: JsonValue, dialect: Dialect, name: string): Steps<Answer | undefined> {
  const answer = yield* dialect.readAnswer(value);
  if (answer === undefined) return undefined;
  if (dialect.readParts !== undefined) yield* dialect.readParts(answer);
  return answerFromOutputTool(answer, name);
}
