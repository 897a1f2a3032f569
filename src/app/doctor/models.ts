import type { Config } from '../../config/config.js';
import { isJsonObject, type JsonValue, parseJson } from '../../core/json.js';
import type { Provider } from '../../core/settings.js';
import { didYouMean } from '../../core/texts/did-you-mean.js';
import { modelsCall } from '../../dialects/providers.js';
import { type Finding, ok, problem, warning } from './finding.js';

const PATIENCE_MS = 5_000;
const LARGEST_LIST_BYTES = 8 * 2 ** 20;

/** The models of a provider that the chains of the file name. */
export function modelsIn(config: Config, provider: string): string[] {
  const chains = config.projects.flatMap(({ endpoints }) => endpoints.flatMap(({ models }) => models));
  return [...new Set(chains.filter((one) => one.provider === provider).map(({ model }) => model))];
}

/**
 * Asks a provider for its models, with its credential. A server may have no such list, and a credential may be allowed to
 * call models but not to list them, so only a refused credential is a problem. Of the answer only the status and the names of
 * models are printed. Of a connection error only its code is printed, because its text may contain a header.
 */
export async function examineModels(provider: Provider, called: readonly string[]): Promise<Finding> {
  const check = `provider ${provider.name}`;
  const { origin } = new URL(provider.base_url);
  const { path, headers } = modelsCall(provider);
  try {
    // A redirect could take the credential elsewhere.
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(origin + path, { headers, redirect: 'manual', signal });
    if (answer.status === 200) return compare(check, origin, called, namesIn(await boundedText(answer)));
    await answer.body?.cancel();
    if (answer.status !== 401) {
      return ok(check, `${origin} accepts connections, but has no list of models (${answer.status})`);
    }
    return provider.credential === undefined
      ? problem(check, `${origin} requires a credential (401)`, 'set `api_key_env` or `api_key_file`')
      : problem(
          check,
          `${origin} rejects the credential (401)`,
          'check the value of `api_key_env` or `api_key_file`',
        );
  } catch (error) {
    return warning(
      check,
      `${origin} accepts connections, but its list of models cannot be read: ${codeOf(error)}`,
    );
  }
}

function compare(check: string, origin: string, called: readonly string[], names: string[]): Finding {
  if (names.length === 0) return ok(check, `${origin} answers, but lists no models`);
  // A gateway may list `openai/gpt-x` and also accept `gpt-x`, and the name of a model family may stand for each of
  // its versions.
  const isListed = (model: string) => names.some((name) => name === model || name.endsWith(`/${model}`));
  const unknown = called.filter((model) => !isListed(model));
  if (unknown.length === 0)
    return ok(check, `${origin} lists ${names.length} models, including all that the file names`);
  const listed = unknown.map((model) => `${JSON.stringify(model)}${didYouMean(model, names)}`).join(', ');
  return warning(check, `${origin} lists ${names.length} models, but not ${listed}`);
}

/** OpenAI's and Anthropic's lists have `data` with ids, Gemini's has `models` with names such as `models/gemini-x`. */
function namesIn(text: string): string[] {
  const list = parseJson(text);
  if (!isJsonObject(list)) return [];
  const models: JsonValue[] = [list.data, list.models].find((items) => Array.isArray(items)) ?? [];
  return models.flatMap((model) => {
    const name = isJsonObject(model) ? (model.id ?? model.name) : undefined;
    return typeof name === 'string' && name.length <= 200 ? [name.replace(/^models\//, '')] : [];
  });
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > LARGEST_LIST_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function codeOf(error: unknown): string {
  const { name, cause } = error as Error;
  if (name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1000} s`;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : 'the call failed';
}
