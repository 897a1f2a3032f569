import { useState } from 'preact/hooks';
import { type Answer, call } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { linkTo } from '../app/router.ts';
import { copyText } from '../log/copy.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { LANGUAGES, type Language, snippetFor } from './snippets.ts';

type Endpoint = Answer<'GET /api/projects/{uid}/endpoints'>['data'][number];
type Key = Answer<'GET /api/projects/{uid}/api-keys'>['data'][number];

interface FirstRequestProps {
  uid: string;
  endpoints: readonly Endpoint[];
  keys: readonly Key[];
  /** The text of a key that was just created. Nobody can see it again later. */
  made: string | undefined;
  onEndpoint: () => void;
  onKey: () => void;
}

/** Leads from an empty project to its first request: what is still missing, and then an example of a request. */
export function FirstRequest({ uid, endpoints, keys, made, onEndpoint, onKey }: FirstRequestProps) {
  const project = useLoad(`project ${uid}`, (signal) =>
    call('GET /api/projects/{uid}', { params: { uid }, signal }),
  );
  const usable = keys.filter(
    ({ scopes, name }) => scopes.includes('inference') && !name.startsWith('playground '),
  );
  const isReady = endpoints.length > 0 && usable.length > 0;
  return (
    <section class="first-request" aria-label="First request">
      <header class="page-head">
        <h1>{isReady ? 'Send a request' : 'Next steps'}</h1>
      </header>
      {!isReady && (
        <ol class="steps">
          <Step
            done={usable.length > 0}
            text="Create a key for your application."
            action="New key"
            onAction={onKey}
          />
          <Step
            done={endpoints.length > 0}
            text="Create an endpoint: the name that clients send as the model, and the models behind it."
            action="New endpoint"
            onAction={onEndpoint}
          />
          <Step done={false} text="Send a request to the base URL below." />
        </ol>
      )}
      {project.data !== undefined && (
        <Snippet
          uid={uid}
          baseUrls={project.data.base_urls}
          endpoints={endpoints.map(({ name }) => name)}
          shownKey={made}
        />
      )}
    </section>
  );
}

interface StepProps {
  done: boolean;
  text: string;
  action?: string;
  onAction?: () => void;
}

function Step({ done, text, action, onAction }: StepProps) {
  return (
    <li class={done ? 'muted' : undefined}>
      {done && (
        <>
          <Icon name="check" /> <span class="hidden">Done:</span>{' '}
        </>
      )}
      {text}{' '}
      {!done && action !== undefined && (
        <Button small onClick={onAction}>
          {action}
        </Button>
      )}
    </li>
  );
}

interface SnippetProps {
  uid: string;
  baseUrls: { openai: string; anthropic: string; gemini: string };
  endpoints: readonly string[];
  shownKey: string | undefined;
}

function Snippet({ uid, baseUrls, endpoints, shownKey }: SnippetProps) {
  const [language, setLanguage] = useState<Language>('curl');
  const [chosen, setChosen] = useState<string>();
  const endpoint = chosen ?? endpoints[0] ?? 'ENDPOINT';
  const text = snippetFor(language, { baseUrls, endpoint, key: shownKey ?? 'YOUR_KEY' });
  return (
    <>
      <dl class="facts base-urls">
        {Object.entries(baseUrls).map(([api, url]) => (
          <div key={api}>
            <dt>{{ openai: 'OpenAI', anthropic: 'Anthropic', gemini: 'Gemini' }[api] ?? api}</dt>
            <dd>
              <code>{url}</code>{' '}
              <Button
                quiet
                small
                icon="copy"
                label={`Copy the base URL of ${api}`}
                onClick={() => void copyText(url, 'The base URL')}
              />
            </dd>
          </div>
        ))}
      </dl>
      <div class="fields">
        <Field label="Language">
          <Select value={language} options={LANGUAGES} onChange={setLanguage} />
        </Field>
        {endpoints.length > 1 && (
          <Field label="Endpoint">
            <Select value={endpoint} options={endpoints} onChange={setChosen} />
          </Field>
        )}
      </div>
      <pre class="raw snippet" tabIndex={0}>
        {text}
      </pre>
      <p class="row-between">
        <span class="muted">
          {shownKey === undefined
            ? 'Replace YOUR_KEY with your key. A key is shown only once, when it is created.'
            : 'This example contains the key that you just created. It disappears when you leave the page.'}
        </span>
        <span class="tools">
          <Button small icon="copy" onClick={() => void copyText(text, 'The example')}>
            Copy
          </Button>
          <a href={linkTo([uid, 'playground'])}>Try it in the playground</a>
        </span>
      </p>
    </>
  );
}
