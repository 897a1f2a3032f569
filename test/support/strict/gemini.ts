import type { JsonObject } from '../../../src/core/json.js';
import { asObject, objects, onlyMembers, type Say, texts } from './checks.js';

export function checkGenerate(body: JsonObject, model: string, say: Say): void {
  const contents = objects(body.contents);
  onlyMembers(
    body,
    [
      'contents',
      'systemInstruction',
      'tools',
      'toolConfig',
      'generationConfig',
      'safetySettings',
      'cachedContent',
      'labels',
    ],
    '',
    say,
  );
  say(contents.length > 0, 'contents is not specified');
  const declared = objects(body.tools).flatMap((tool) => objects(tool.functionDeclarations));
  for (const { name } of declared)
    say(
      /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(String(name)),
      `the function name ${String(name)} is not valid`,
    );
  say(
    objects(body.tools).every(
      (tool) => tool.functionDeclarations === undefined || objects(tool.functionDeclarations).length > 0,
    ),
    'functionDeclarations must not be empty',
  );
  say(texts(asObject(body.generationConfig).stopSequences).length <= 5, 'at most 5 stopSequences');
  // The API requires a proof only in turns after the user's last text.
  const turn = contents.findLastIndex(
    ({ role, parts }) =>
      role !== 'model' && objects(parts).some((part) => part.functionResponse === undefined),
  );
  contents.forEach((content, index) => {
    const parts = objects(content.parts);
    say(parts.length > 0, `contents[${index}].parts must not be empty`);
    say(
      parts.every(
        (part) => typeof part.text !== 'string' || part.text !== '' || part.thoughtSignature !== undefined,
      ),
      `contents[${index}]: an empty text`,
    );
    const first = parts.find((part) => part.functionCall !== undefined);
    if (index > turn && content.role === 'model' && first !== undefined && !/gemini-[12]/.test(model)) {
      say(
        typeof first.thoughtSignature === 'string' && first.thoughtSignature !== '',
        'Function call is missing a thought_signature in functionCall parts',
      );
    }
    const results = parts.filter((part) => part.functionResponse !== undefined).length;
    if (results === 0) return;
    const called = objects(contents[index - 1]?.parts).filter(
      (part) => part.functionCall !== undefined,
    ).length;
    say(
      called === results,
      'the number of function response parts must equal the number of function call parts of the function call turn',
    );
  });
}
