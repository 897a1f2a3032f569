import type { Log } from '../api/client.ts';
import { tell } from '../app/toasts.tsx';

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(`${what} was copied.`);
  } catch {
    tell('This browser allows copying only over https. Select the text and copy it by hand.', {
      tone: 'bad',
    });
  }
}

type Call = Pick<Log, 'endpoint' | 'stream'>;

const PATHS: Record<Log['api'], (call: Call) => string> = {
  'openai.chat': () => 'openai/v1/chat/completions',
  'openai.responses': () => 'openai/v1/responses',
  'openai.completions': () => 'openai/v1/completions',
  'openai.embeddings': () => 'openai/v1/embeddings',
  'openai.moderations': () => 'openai/v1/moderations',
  'anthropic.messages': () => 'anthropic/v1/messages',
  'gemini.generate': ({ endpoint, stream }) =>
    `gemini/v1beta/models/${encodeURIComponent(endpoint ?? '')}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
};

/** A command for a POSIX shell that sends the same request again. The reader has to fill in the key. */
export function curlOf({ api, project_uid, request, metadata, endpoint, stream }: Log): string {
  const body = { ...(request as object), ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
  const quoted = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return [
    `curl "$SLUICE_GATEWAY/${project_uid}/${PATHS[api]({ endpoint, stream })}"`,
    `-H "authorization: Bearer $SLUICE_KEY"`,
    `-H 'content-type: application/json'`,
    `-d '${quoted}'`,
  ].join(' \\\n  ');
}
