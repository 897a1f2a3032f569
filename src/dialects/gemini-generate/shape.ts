import {
  type Check,
  expectArrayOf,
  expectBoolean,
  expectInteger,
  expectMembers,
  expectNonEmptyString,
  expectNumber,
  expectObject,
  expectOneOf,
  expectSchema,
  expectString,
  orNull,
} from '../wire/check.js';
import { inBothCases } from './names.js';

/*
 * The shape of a generateContent request. Only what the API refuses is refused; unknown parts and tools pass.
 */

const shaped = (members: Record<string, Check>): Check => expectMembers(inBothCases(members));

const expectPart = shaped({
  text: expectString,
  thought: expectBoolean,
  thoughtSignature: expectString,
  inlineData: shaped({ mimeType: expectString, data: expectString }),
  fileData: shaped({ mimeType: expectString, fileUri: expectString }),
  functionCall: expectMembers(
    { name: expectNonEmptyString, args: orNull(expectObject), id: orNull(expectString) },
    ['name'],
  ),
  functionResponse: expectMembers(
    { name: expectNonEmptyString, response: expectObject, id: orNull(expectString) },
    ['name', 'response'],
  ),
});

const expectContent = expectMembers(
  { role: orNull(expectOneOf('user', 'model', 'function', 'system', '')), parts: expectArrayOf(expectPart) },
  ['parts'],
);

const expectDeclaration = expectMembers(
  {
    name: expectNonEmptyString,
    ...inBothCases({ description: expectString, parametersJsonSchema: expectSchema }),
  },
  ['name'],
);

const expectTool = shaped({ functionDeclarations: orNull(expectArrayOf(expectDeclaration)) });

const expectGenerationConfig = shaped({
  temperature: orNull(expectNumber),
  topP: orNull(expectNumber),
  topK: orNull(expectNumber),
  candidateCount: orNull(expectInteger(1)),
  maxOutputTokens: orNull(expectInteger(0)),
  stopSequences: orNull(expectArrayOf(expectString)),
  presencePenalty: orNull(expectNumber),
  frequencyPenalty: orNull(expectNumber),
  seed: orNull(expectNumber),
  responseMimeType: orNull(expectString),
  responseSchema: orNull(expectObject),
  responseJsonSchema: orNull(expectSchema),
  thinkingConfig: orNull(expectObject),
});

export const expectGenerateRequest: Check = expectMembers(
  {
    contents: expectArrayOf(expectContent, 1),
    ...inBothCases({
      systemInstruction: orNull(expectMembers({ parts: expectArrayOf(expectPart) }, ['parts'])),
      tools: orNull(expectArrayOf(expectTool)),
      toolConfig: orNull(shaped({ functionCallingConfig: orNull(expectObject) })),
      generationConfig: orNull(expectGenerationConfig),
    }),
    metadata: orNull(expectObject),
  },
  ['contents'],
);
