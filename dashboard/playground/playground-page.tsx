import { useRef, useState } from 'preact/hooks';
import { call, messageOf } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { session } from '../app/session.ts';
import { readJsonObject } from '../edit/json-text.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select, TextArea, TextInput, useControlProps } from '../ui/field.tsx';
import { ask, failed, type Result } from './ask.ts';
import { APIS, type ApiName, readTools, requestOf, type Turn } from './request.ts';
import { ResultView } from './result-view.tsx';

/** Sends a request as any client would, to one endpoint or to two at once, and links to its log. */
export function PlaygroundPage({ projectUid }: { projectUid: string }) {
  const { known, names } = useEndpointNames(projectUid);
  const [chosen, setEndpoint] = useState<string>();
  const [beside, setBeside] = useState('');
  const endpoint = chosen ?? names[0] ?? '';
  const [api, setApi] = useState<ApiName>('openai.chat');
  const [system, setSystem] = useState('');
  const [turns, setTurns] = useState<Turn[]>([]);
  const [message, setMessage] = useState('');
  const [images, setImages] = useState<string[]>([]);
  const [stream, setStream] = useState(true);
  const [temperature, setTemperature] = useState('');
  const [maxTokens, setMaxTokens] = useState('');
  const [tools, setTools] = useState('');
  const [schema, setSchema] = useState('');
  const [metadata, setMetadata] = useState('');
  const [results, setResults] = useState<Record<string, Result>>({});
  const running = useRef<AbortController | undefined>(undefined);
  const [schemaRead, metadataRead, toolsRead] = [
    readOptional(schema),
    readOptional(metadata),
    readTools(tools),
  ];
  const asked = [endpoint, ...(beside === '' || beside === endpoint ? [] : [beside])];
  const isRunning = Object.values(results).some((result) => result.running);
  const isWrong =
    'error' in schemaRead ||
    'error' in metadataRead ||
    'error' in toolsRead ||
    message.trim() === '' ||
    endpoint === '';
  const said: Turn = { role: 'user', text: message, images };
  const requestFor = (name: string) => ({
    api,
    endpoint: name,
    system,
    turns: [...turns, said],
    stream,
    temperature: temperature === '' ? undefined : Number(temperature),
    maxTokens: maxTokens === '' ? undefined : Number(maxTokens),
    tools: 'tools' in toolsRead ? toolsRead.tools : [],
    schema: schemaRead.value,
    metadata: metadataRead.value,
  });

  const run = async (event: Event) => {
    event.preventDefault();
    if (isWrong || running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setResults({});
    const show = (name: string) => (result: Result) =>
      setResults((before) => ({ ...before, [name]: result }));
    await Promise.all(
      asked.map((name) =>
        ask(projectUid, requestFor(name), controller.signal, show(name)).catch((error: unknown) =>
          show(name)(failed(messageOf(error))),
        ),
      ),
    );
    running.current = undefined;
  };
  /** Adds the question and the answer to the conversation, and empties the field for the next turn. */
  const goOn = () => {
    const text = results[endpoint]?.text ?? '';
    setTurns([...turns, said, { role: 'assistant', text, images: [] }]);
    setMessage('');
    setImages([]);
    setResults({});
  };
  const canGoOn = !isRunning && (results[endpoint]?.text ?? '') !== '';
  return (
    <section class="page playground" aria-label="Playground">
      <header class="page-head">
        <h1>Playground</h1>
      </header>
      <div class={asked.length > 1 ? 'playground-columns two' : 'playground-columns'}>
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
                <Select value={endpoint} options={names} onChange={setEndpoint} />
              ) : (
                <TextInput value={endpoint} onInput={setEndpoint} />
              )}
            </Field>
            <Field label="Compare with">
              {known ? (
                <Select
                  value={beside}
                  options={[
                    { value: '', label: 'No comparison' },
                    ...names
                      .filter((name) => name !== endpoint)
                      .map((name) => ({ value: name, label: name })),
                  ]}
                  onChange={setBeside}
                />
              ) : (
                <TextInput value={beside} onInput={setBeside} />
              )}
            </Field>
            <Field label="API">
              <Select value={api} options={APIS} onChange={setApi} />
            </Field>
          </div>
          <Field label="System prompt" hint="Optional.">
            <TextArea value={system} onInput={setSystem} rows={2} />
          </Field>
          {turns.length > 0 && <Turns turns={turns} onChange={setTurns} />}
          <Field label="Message">
            <TextArea value={message} onInput={setMessage} rows={5} autofocus />
          </Field>
          <Pictures images={images} onChange={setImages} />
          <details class="fold">
            <summary>Parameters, tools, schema and metadata</summary>
            <div class="fields">
              <Field label="Temperature" hint="Optional.">
                <TextInput type="number" value={temperature} onInput={setTemperature} />
              </Field>
              <Field label="Maximum tokens" hint="Optional.">
                <TextInput type="number" value={maxTokens} onInput={setMaxTokens} />
              </Field>
            </div>
            <Field
              label="Tools"
              hint='A list, such as [{"name": "find", "parameters": {"type": "object"}}]. Optional.'
              error={'error' in toolsRead ? toolsRead.error : undefined}
            >
              <TextArea code value={tools} onInput={setTools} rows={3} />
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
              hint='Such as {"tier": "pro"}. Each member also becomes a tag.'
              error={'error' in metadataRead ? metadataRead.error : undefined}
            >
              <TextArea code value={metadata} onInput={setMetadata} rows={2} />
            </Field>
          </details>
          <details class="fold">
            <summary>The request as JSON</summary>
            <pre class="raw" tabIndex={0}>
              {JSON.stringify(requestOf(requestFor(endpoint)), null, 2)}
            </pre>
          </details>
          <div class="choices">
            <label>
              <input type="checkbox" checked={stream} onChange={() => setStream(!stream)} />
              Stream
            </label>
          </div>
          <footer>
            {isRunning && <Button onClick={() => running.current?.abort()}>Stop</Button>}
            {canGoOn && <Button onClick={goOn}>Continue the conversation</Button>}
            <Button primary submit icon="playground" busy={isRunning} disabled={isWrong}>
              Send
            </Button>
          </footer>
        </form>
        {asked.map((name) => (
          <div key={name}>
            {asked.length > 1 && <h2>{name}</h2>}
            <ResultView projectUid={projectUid} endpoint={name} result={results[name]} />
          </div>
        ))}
      </div>
    </section>
  );
}

/** The earlier turns, which the next request repeats. */
function Turns({ turns, onChange }: { turns: Turn[]; onChange: (turns: Turn[]) => void }) {
  return (
    <div class="field">
      <span class="label">Conversation so far</span>
      <ol class="plain-list">
        {turns.map(({ role, text }, index) => (
          <li key={index}>
            <Field label={`${role}, turn ${index + 1}`}>
              <TextArea
                value={text}
                rows={2}
                onInput={(next) =>
                  onChange(turns.map((turn, at) => (at === index ? { ...turn, text: next } : turn)))
                }
              />
            </Field>
          </li>
        ))}
      </ol>
      <p>
        <Button small quiet icon="trash" onClick={() => onChange([])}>
          Start a new conversation
        </Button>
      </p>
    </div>
  );
}

function Pictures({ images, onChange }: { images: string[]; onChange: (images: string[]) => void }) {
  const add = async (files: FileList | null) => {
    onChange([...images, ...(await Promise.all([...(files ?? [])].map(dataUrlOf)))]);
  };
  return (
    <div class="fields">
      <Field label="Images" hint="Optional. They are sent with the message.">
        <FileInput onFiles={(files) => void add(files)} />
      </Field>
      {images.length > 0 && (
        <p>
          {images.map((url, index) => (
            <img key={index} class="content-image" src={url} alt={`Attachment ${index + 1}`} />
          ))}
          <Button small quiet icon="trash" label="Remove the images" onClick={() => onChange([])} />
        </p>
      )}
    </div>
  );
}

function FileInput({ onFiles }: { onFiles: (files: FileList | null) => void }) {
  return (
    <input
      {...useControlProps()}
      type="file"
      accept="image/png,image/jpeg,image/webp,image/gif"
      multiple
      onChange={(event) => onFiles(event.currentTarget.files)}
    />
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

function readOptional(
  text: string,
): { value: Record<string, unknown> | undefined } | { error: string; value?: undefined } {
  return text.trim() === '' ? { value: undefined } : readJsonObject(text);
}

/** The endpoints to choose from. Where none is known, the reader writes a name. */
function useEndpointNames(projectUid: string): { known: boolean; names: string[] } {
  const loaded = useLoad(`endpoints ${projectUid}`, async (signal) => {
    if (session.get()?.kind !== 'admin') return (await call('GET /api/session', { signal })).endpoints ?? [];
    const params = { uid: projectUid };
    const { data } = await call('GET /api/projects/{uid}/endpoints', { params, signal });
    return data.map(({ name }) => name);
  });
  const names = loaded.data ?? [];
  return { known: session.get()?.kind === 'admin' || names.length > 0, names };
}
