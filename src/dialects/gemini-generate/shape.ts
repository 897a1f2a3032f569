import {
  type Check,
  hasMembers,
  isArrayOf,
  isBoolean,
  isInteger,
  isNonEmptyString,
  isNumber,
  isObject,
  isOneOf,
  isSchema,
  isString,
  orNull,
} from '../helpers/check.js';
import { inBothCases } from './names.js';

/*
 * What a request of generateContent must look like. Only what the API itself refuses is refused; parts and tools
 * that are not known here pass.
 */

const shaped = (members: Record<string, Check>): Check => hasMembers(inBothCases(members));

const isPart = shaped({
  text: isString,
  thought: isBoolean,
  thoughtSignature: isString,
  inlineData: shaped({ mimeType: isString, data: isString }),
  fileData: shaped({ mimeType: isString, fileUri: isString }),
  functionCall: hasMembers({ name: isNonEmptyString, args: orNull(isObject), id: orNull(isString) }, [
    'name',
  ]),
  functionResponse: hasMembers({ name: isNonEmptyString, response: isObject, id: orNull(isString) }, [
    'name',
    'response',
  ]),
});

const isContent = hasMembers(
  { role: orNull(isOneOf('user', 'model', 'function', 'system', '')), parts: isArrayOf(isPart) },
  ['parts'],
);

const isDeclaration = hasMembers(
  { name: isNonEmptyString, ...inBothCases({ description: isString, parametersJsonSchema: isSchema }) },
  ['name'],
);

const isTool = shaped({ functionDeclarations: orNull(isArrayOf(isDeclaration)) });

const isGenerationConfig = shaped({
  temperature: orNull(isNumber),
  topP: orNull(isNumber),
  topK: orNull(isNumber),
  candidateCount: orNull(isInteger(1)),
  maxOutputTokens: orNull(isInteger(0)),
  stopSequences: orNull(isArrayOf(isString)),
  presencePenalty: orNull(isNumber),
  frequencyPenalty: orNull(isNumber),
  seed: orNull(isNumber),
  responseMimeType: orNull(isString),
  responseSchema: orNull(isObject),
  responseJsonSchema: orNull(isSchema),
  thinkingConfig: orNull(isObject),
});

export const isGenerateRequest: Check = hasMembers(
  {
    contents: isArrayOf(isContent, 1),
    ...inBothCases({
      systemInstruction: orNull(hasMembers({ parts: isArrayOf(isPart) }, ['parts'])),
      tools: orNull(isArrayOf(isTool)),
      toolConfig: orNull(shaped({ functionCallingConfig: orNull(isObject) })),
      generationConfig: orNull(isGenerationConfig),
    }),
    metadata: orNull(isObject),
  },
  ['contents'],
);
