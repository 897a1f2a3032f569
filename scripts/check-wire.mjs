import { pathToFileURL } from 'node:url';
import { readSources } from './check-imports.mjs';

/*
 * Everything about a wire API belongs into its folder below `src/dialects/`. Elsewhere its ids, paths and member
 * names are mistakes, because such code would not work for a new dialect. Names that the neutral form has too, such
 * as `messages` and `content`, cannot be distinguished and are not checked.
 */
const WIRE_NAMES = [
  // Ids and paths of APIs.
  'openai\\.chat',
  'openai\\.responses',
  'anthropic\\.messages',
  'gemini\\.generate',
  '/(?:openai|anthropic|gemini)',
  'chat/completions',
  'v1/messages',
  '(?:stream)?[gG]enerateContent',
  // Member names of requests.
  'max_tokens',
  'max_completion_tokens',
  'tool_choice',
  'response_format',
  'stream_options',
  'parallel_tool_calls',
  'previous_response_id',
  'system_?[iI]nstruction',
  'generation_?[cC]onfig',
  // Member names of content.
  'image_url',
  'input_text',
  'output_text',
  'input_image',
  'tool_calls',
  'tool_call_id',
  'tool_use',
  'tool_result',
  'function_call',
  'function_call_output',
  'function[CR]\\w+',
  'inline_?[dD]ata',
  'reasoning_content',
  'thinking_delta',
  // Member names of answers and frames.
  'finish_?[rR]eason',
  'stop_reason',
  'logprobs',
  'content_block\\w*',
  'message_start',
  'message_delta',
  'item_id',
  'output_index',
  'content_index',
  'usageMetadata',
  'response\\.completed',
];

/** Files and folders that may know more, each with its reason. */
const EXCEPTIONS = {
  'core/dialect-ids.ts': 'the list of ids, which logs and settings name',
  'logs/export/': 'training files have the form of Chat Completions, whatever the log has',
  'plugins/webhook/': 'the body of the webhook has a form of its own, told in docs/plugins.md',
  'telemetry/': 'the names of the semantic conventions',
  'validation/judge-answer.ts': 'steps of places that errors name, the same for every API',
  'validation/output-names.ts': 'the same steps',
  'local/': 'the mock model and the requests of the demo stand in for others',
};

const NAMES = new RegExp(`(?<![\\w-])(?:${WIRE_NAMES.join('|')})(?![\\w-])`, 'g');
/** Names that the neutral form uses too. */
const NEUTRAL = new Set(['finishReason']);

/** The mistakes in the files, each as one line. `files` maps a path below `src/` to its text. */
export function findWireMistakes(files) {
  const mistakes = [];
  for (const [path, text] of files) {
    if (path.startsWith('dialects/') || Object.keys(EXCEPTIONS).some((known) => path.startsWith(known)))
      continue;
    const names = [...code(text).matchAll(NAMES)].map(([name]) => name).filter((name) => !NEUTRAL.has(name));
    if (names.length === 0) continue;
    const said = [...new Set(names)].join(', ');
    mistakes.push(`src/${path}: mentions ${said} of a wire API, which only src/dialects/ may know`);
  }
  return mistakes;
}

/** The text without comments, which may explain a wire API, and without import paths. */
function code(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/from '[^']+'/g, '');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const mistakes = findWireMistakes(readSources());
  for (const mistake of mistakes) console.error(mistake);
  process.exit(mistakes.length === 0 ? 0 : 1);
}
