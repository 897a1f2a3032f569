import { useState } from 'preact/hooks';
import { useLoad } from '../app/load.ts';
import { copyText } from '../log/copy.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextArea } from '../ui/field.tsx';
import { Shown } from '../ui/states.tsx';

type Yaml = typeof import('./yaml.ts');

interface YamlEditorProps {
  value: Record<string, unknown>;
  /** The mistakes that the server reported, by place. */
  mistakes?: ReadonlyMap<string, string>;
  /** Undefined where the value cannot be changed. */
  onChange?: (value: Record<string, unknown>) => void;
  /** Called when the text becomes unreadable, and when it becomes readable again. */
  onUnreadable?: (isUnreadable: boolean) => void;
}

/** An endpoint in the form that it has in sluice.yaml, for editing it or copying it there. */
export function YamlEditor(props: YamlEditorProps) {
  // Most people never press the button, so the script for YAML is loaded only then.
  const yaml = useLoad<Yaml>('yaml', () => import('./yaml.ts'));
  return (
    <Shown of={yaml} what="the YAML">
      {(loaded) => <Editor {...props} yaml={loaded} />}
    </Shown>
  );
}

const FEWEST_ROWS = 12;
const MOST_ROWS = 30;

function Editor({ value, mistakes, onChange, onUnreadable, yaml }: YamlEditorProps & { yaml: Yaml }) {
  const [text, setText] = useState(() => yaml.writeEndpoint(value));
  const [wrong, setWrong] = useState<string>();
  const write = (next: string) => {
    setText(next);
    const read = yaml.readEndpoint(next);
    setWrong('error' in read ? read.error : undefined);
    onUnreadable?.('error' in read);
    if ('value' in read) onChange?.(read.value);
  };
  const copied = yaml.writeEntry(value);
  return (
    <>
      {onChange === undefined ? (
        <pre class="raw" tabIndex={0}>
          {copied}
        </pre>
      ) : (
        <Field label="Endpoint as YAML" error={wrong}>
          <TextArea
            code
            rows={Math.min(Math.max(text.split('\n').length + 1, FEWEST_ROWS), MOST_ROWS)}
            value={text}
            onInput={write}
          />
        </Field>
      )}
      {mistakes !== undefined && mistakes.size > 0 && (
        <ul class="error-text">
          {[...mistakes].map(([path, message]) => (
            <li key={path}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <p>
        <Button small icon="copy" onClick={() => void copyText(copied, 'The YAML')}>
          Copy
        </Button>{' '}
        <span class="muted">
          Paste it below <code>endpoints</code> of the project in sluice.yaml.
        </span>
      </p>
    </>
  );
}
