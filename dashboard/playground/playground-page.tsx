import { useRef, useState } from 'preact/hooks';
import { call, messageOf, send } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { linkTo } from '../app/router.ts';
import { session } from '../app/session.ts';
import { readJsonObject } from '../edit/json-text.ts';
import type { Schemas } from '../generated/api.ts';
import { answerText } from '../log/conversation.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select, TextArea, TextInput } from '../ui/field.tsx';
import { formatDuration } from '../ui/format.ts';
import { Markdown } from '../ui/markdown.tsx';
import { AnswerStream } from './answer-stream.ts';

const APIS = ['openai.chat', 'openai.responses', 'anthropic.messages'] as const;
type ApiName = (typeof APIS)[number];

interface Result {
  logId: string | null;
  status: number;
  text: string;
  error: string | undefined;
  ms: number;
  running: boolean;
}

/** Sends a request the way of every client, and leads to its log. */
export function PlaygroundPage({ projectUid }: { projectUid: string }) {
  const { known, names: endpoints } = useEndpointNames(projectUid);
  const [chosen, setEndpoint] = useState<string>();
  const endpoint = chosen ?? endpoints[0] ?? '';
  const [api, setApi] = useState<ApiName>('openai.chat');
  const [system, setSystem] = useState('');
  const [message, setMessage] = useState('');
  const [stream, setStream] = useState(true);
  const [schema, setSchema] = useState('');
  const [metadata, setMetadata] = useState('');
  const [result, setResult] = useState<Result>();
  const running = useRef<AbortController | undefined>(undefined);
  const schemaRead = readOptional(schema);
  const metadataRead = readOptional(metadata);
  const isWrong =
    'error' in schemaRead || 'error' in metadataRead || message.trim() === '' || endpoint === '';

  const run = async (event: Event) => {
    event.preventDefault();
    if (isWrong || running.current) return;
    const controller = new AbortController();
    running.current = controller;
    const asked = {
      api,
      endpoint,
      system,
      message,
      stream,
      schema: schemaRead.value,
      metadata: metadataRead.value,
    };
    try {
      await ask(projectUid, asked, controller.signal, setResult);
    } catch (error) {
      setResult({ logId: null, status: 0, text: '', error: messageOf(error), ms: 0, running: false });
    } finally {
      running.current = undefined;
    }
  };
  return (
    <section class="page playground" aria-label="Playground">
      <header class="page-head">
        <h1>Playground</h1>
      </header>
      <div class="side-by-side">
        <form
          class="form"
          onSubmit={run}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run(event);
          }}
        >
          <div class="fields">
            <Field label="Endpoint">
              {known ? (
                <Select value={endpoint} options={endpoints} onChange={setEndpoint} />
              ) : (
                <TextInput value={endpoint} onInput={setEndpoint} />
              )}
            </Field>
            <Field label="API">
              <Select value={api} options={APIS} onChange={setApi} />
            </Field>
          </div>
          <Field label="System prompt" hint="Optional.">
            <TextArea value={system} onInput={setSystem} rows={2} />
          </Field>
          <Field label="Message">
            <TextArea value={message} onInput={setMessage} rows={6} autofocus />
          </Field>
          <Field
            label="JSON Schema of the answer"
            hint="Optional."
            error={'error' in schemaRead ? schemaRead.error : undefined}
          >
            <TextArea code value={schema} onInput={setSchema} rows={3} />
          </Field>
          <Field
            label="Metadata"
            hint='Such as {"tier": "pro"}. It becomes tags, too.'
            error={'error' in metadataRead ? metadataRead.error : undefined}
          >
            <TextArea code value={metadata} onInput={setMetadata} rows={2} />
          </Field>
          <div class="choices">
            <label>
              <input type="checkbox" checked={stream} onChange={() => setStream(!stream)} />
              Stream
            </label>
          </div>
          <footer>
            {result?.running && <Button onClick={() => running.current?.abort()}>Stop</Button>}
            <Button primary submit icon="playground" busy={result?.running} disabled={isWrong}>
              Send
            </Button>
          </footer>
        </form>
        <ResultView projectUid={projectUid} result={result} />
      </div>
    </section>
  );
}

function ResultView({ projectUid, result }: { projectUid: string; result: Result | undefined }) {
  return (
    <section class="playground-answer" aria-label="Answer" aria-live="polite">
      {result === undefined ? (
        <p class="muted">The answer will appear here. Press Ctrl+Enter to send.</p>
      ) : (
        <>
          <p class="row-between muted">
            <span>
              {result.running
                ? 'Answering …'
                : `${result.status || 'No answer'} in ${formatDuration(result.ms)}`}
            </span>
            {result.logId !== null && !result.running && (
              <a href={linkTo([projectUid, 'logs', result.logId])}>Open the log</a>
            )}
          </p>
          {result.text !== '' && <Markdown text={result.text} />}
          {result.error && (
            <p class="note bad-note" role="alert">
              {result.error}
            </p>
          )}
        </>
      )}
    </section>
  );
}

interface Asked {
  api: ApiName;
  endpoint: string;
  system: string;
  message: string;
  stream: boolean;
  schema: Record<string, unknown> | undefined;
  metadata: Record<string, unknown> | undefined;
}

async function ask(
  projectUid: string,
  asked: Asked,
  signal: AbortSignal,
  onResult: (result: Result) => void,
): Promise<void> {
  const start = performance.now();
  const result: Result = { logId: null, status: 0, text: '', error: undefined, ms: 0, running: true };
  const show = (change: Partial<Result>) => {
    Object.assign(result, change, { ms: performance.now() - start });
    onResult({ ...result });
  };
  show({});
  const response = await send(
    'POST /{project_uid}/playground',
    { params: { project_uid: projectUid }, body: { api: asked.api, request: requestOf(asked) }, signal },
    { errorsToo: true },
  );
  show({ status: response.status, logId: response.headers.get('x-inference-log-id') });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const body = (await response.json()) as Schemas['Error'] & object;
    const text = answerText({ api: asked.api, request: null, response: body });
    show({ text, error: response.ok ? undefined : body.error?.message, running: false });
    return;
  }
  const stream = new AnswerStream();
  const reader = response.body?.getReader();
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    stream.add(piece.value);
    show({ text: stream.text, error: stream.error });
  }
  show({ running: false });
}

const MAX_TOKENS = 1024;

function requestOf({
  api,
  endpoint,
  system,
  message,
  stream,
  schema,
  metadata,
}: Asked): Record<string, unknown> {
  const user = { role: 'user', content: message };
  const common = { model: endpoint, stream, ...(metadata ? { metadata } : {}) };
  switch (api) {
    case 'openai.chat':
      return {
        ...common,
        messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), user],
        ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
      };
    case 'openai.responses':
      return {
        ...common,
        input: message,
        ...(system === '' ? {} : { instructions: system }),
        ...(schema && { text: { format: { type: 'json_schema', name: 'answer', schema } } }),
      };
    case 'anthropic.messages':
      return {
        ...common,
        max_tokens: MAX_TOKENS,
        messages: [user],
        ...(system === '' ? {} : { system }),
        ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
      };
  }
}

function readOptional(
  text: string,
): { value: Record<string, unknown> | undefined } | { error: string; value?: undefined } {
  return text.trim() === '' ? { value: undefined } : readJsonObject(text);
}

/** Admins choose from the list; others, who cannot read it, write the name. */
function useEndpointNames(projectUid: string): { known: boolean; names: string[] } {
  const known = session.get()?.kind === 'admin';
  const loaded = useLoad(known ? `endpoints ${projectUid}` : undefined, (signal) =>
    call('GET /api/projects/{uid}/endpoints', { params: { uid: projectUid }, signal }),
  );
  return { known, names: loaded.data?.data.map(({ name }) => name) ?? [] };
}
