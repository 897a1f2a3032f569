import type { JsonObject } from '../../../src/core/json.js';
import { isName, objects, type Say } from './checks.js';

export function checkResponses(body: JsonObject, say: Say): void {
  // An empty list of tools is allowed here: the SDK of OpenAI for agents sends one.
  const { input, tools } = body;
  say(typeof input === 'string' ? input !== '' : objects(input).length > 0, "'input' must not be empty");
  for (const tool of objects(tools))
    say(tool.type !== 'function' || isName(tool.name, 64), 'the name of a tool is not valid');
  say(typeof body.user !== 'string' || body.user.length <= 64, "'user' is longer than 64");
  const calls = new Set<string>();
  for (const item of objects(input)) {
    if (item.type === 'function_call') {
      calls.add(String(item.call_id));
      say(
        typeof item.call_id === 'string' && item.call_id !== '' && item.call_id.length <= 64,
        'a call_id is not valid',
      );
    }
    if (item.type === 'function_call_output')
      say(calls.has(String(item.call_id)), 'No tool call found for function call output');
  }
}
