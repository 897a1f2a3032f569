import type { Dialect } from '../dialect.js';
import { answerFromOutputTool, createOutputToolReader } from './output-tool.js';

/**
 * A dialect as it is spoken with a model that gives its structured output by a forced tool call: what it answers
 * is read with the call's arguments as text. It is another dialect than the client's, so answers are written anew.
 */
export function outputToolDialect(dialect: Dialect, name: string): Dialect {
  return {
    ...dialect,
    *readAnswer(value) {
      const answer = yield* dialect.readAnswer(value);
      if (answer === undefined) return undefined;
      if (dialect.readParts !== undefined) yield* dialect.readParts(answer);
      return answerFromOutputTool(answer, name);
    },
    createDecoder: () => {
      const decoder = dialect.createDecoder();
      const read = createOutputToolReader(name);
      return { decode: (frame) => decoder.decode(frame).flatMap(read) };
    },
    // Text moves from one frame to another here, so no frame's own can be replaced.
    guardsWhole: true,
  };
}
