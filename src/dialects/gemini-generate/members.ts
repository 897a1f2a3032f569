import {
  bytes,
  counts,
  id,
  type Known,
  Members,
  media,
  metadata,
  proof,
  schema,
  text,
  whole,
  word,
} from '../members/members.js';
import { inBothCases } from './names.js';

/*
 * The members of generateContent that are not text, under both of their names. All other members count as text, and
 * so do strings that do not look like their member.
 */

const members = (make: () => Record<string, Known>) => new Members(() => inBothCases(make()));

const inlineData = members(() => ({ mimeType: word, data: bytes, displayName: text }));
const fileData = members(() => ({ mimeType: word, fileUri: media, displayName: text }));

export const part: Members = members(() => ({
  text,
  thought: word,
  thoughtSignature: proof,
  inlineData,
  fileData,
  functionCall: members(() => ({ id, name: word, args: text })),
  functionResponse: members(() => ({
    id,
    name: word,
    response: text,
    parts: part,
    willContinue: word,
    scheduling: word,
  })),
  executableCode: members(() => ({ language: word, code: text })),
  codeExecutionResult: members(() => ({ outcome: word, output: text })),
  videoMetadata: members(() => ({ startOffset: word, endOffset: word, fps: word })),
  mediaResolution: members(() => ({ level: word, numTokens: word })),
}));

export const content = members(() => ({ role: word, parts: part }));

/** The API's own form of schemas, which writes types in capitals. */
const ownSchema: Members = new Members(() => ({
  ...Object.fromEntries(schema.known),
  ...inBothCases({ propertyOrdering: word, nullable: word, items: ownSchema, anyOf: ownSchema }),
  properties: new Members(() => ({}), { others: ownSchema }),
}));

const tool = members(() => ({
  functionDeclarations: members(() => ({
    name: word,
    description: text,
    behavior: word,
    parameters: ownSchema,
    parametersJsonSchema: schema,
    response: ownSchema,
    responseJsonSchema: schema,
  })),
}));

const generationConfig = members(() => ({
  responseMimeType: word,
  responseSchema: ownSchema,
  responseJsonSchema: schema,
  responseModalities: word,
  stopSequences: text,
  mediaResolution: word,
  thinkingConfig: members(() => ({ includeThoughts: word, thinkingBudget: word, thinkingLevel: word })),
  temperature: word,
  topP: word,
  topK: word,
  candidateCount: word,
  maxOutputTokens: word,
  presencePenalty: word,
  frequencyPenalty: word,
  seed: word,
}));

export const request = members(() => ({
  model: id,
  contents: content,
  systemInstruction: content,
  tools: tool,
  toolConfig: members(() => ({
    functionCallingConfig: members(() => ({ mode: word, allowedFunctionNames: word })),
  })),
  generationConfig,
  safetySettings: members(() => ({ category: word, threshold: word, method: word })),
  cachedContent: id,
  metadata,
}));

/** An answer, and a chunk of a stream, which has the same form. */
export const answer = members(() => ({
  candidates: members(() => ({
    content,
    finishReason: word,
    finishMessage: text,
    index: word,
    safetyRatings: members(() => ({ category: word, probability: word, severity: word })),
    avgLogprobs: word,
    logprobsResult: whole('the text once more, token by token'),
    tokenCount: word,
  })),
  promptFeedback: members(() => ({
    blockReason: word,
    safetyRatings: members(() => ({ category: word, probability: word })),
  })),
  usageMetadata: counts,
  modelVersion: id,
  responseId: id,
  createTime: word,
  inference_log_id: id,
}));
