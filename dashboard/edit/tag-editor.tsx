import { useEffect, useId, useState } from 'preact/hooks';
import { call } from '../api/client.ts';
import { useControlProps } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';

interface TagEditorProps {
  projectUid: string;
  tags: string[];
  onChange: (tags: string[]) => void;
  label: string;
}

/** Suggestions are loaded after the reader has not typed for this long. */
const QUIET_MS = 120;

/** Shows tags as chips, with a field that suggests the project's tags. */
export function TagEditor({ projectUid, tags, onChange, label }: TagEditorProps) {
  const [text, setText] = useState('');
  const [known, setKnown] = useState<string[]>([]);
  const listId = useId();
  const control = useControlProps();
  useEffect(() => {
    const controller = new AbortController();
    const query = text === '' ? { limit: 20 } : { prefix: text, limit: 20 };
    const ask = () =>
      call('GET /{project_uid}/tags', {
        params: { project_uid: projectUid },
        query,
        signal: controller.signal,
      })
        .then(({ data }) => setKnown(data.map(({ tag }) => tag)))
        .catch(() => {}); // Without suggestions a tag must be typed completely.
    const waiting = setTimeout(() => void ask(), QUIET_MS);
    return () => {
      clearTimeout(waiting);
      controller.abort();
    };
  }, [projectUid, text]);
  const add = () => {
    const tag = text.trim();
    if (tag !== '' && !tags.includes(tag)) onChange([...tags, tag]);
    setText('');
  };
  return (
    <div class="tag-editor">
      {tags.map((tag) => (
        <span key={tag} class="chip">
          <span class="chip-text" title={tag}>
            {tag}
          </span>
          <button
            type="button"
            aria-label={`Remove ${tag}`}
            onClick={() => onChange(tags.filter((one) => one !== tag))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <input
        {...control}
        aria-label={control.id === undefined ? label : undefined}
        list={listId}
        value={text}
        placeholder={label}
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && text.trim() !== '') {
            event.preventDefault();
            add();
          } else if (event.key === 'Backspace' && text === '' && tags.length > 0) onChange(tags.slice(0, -1));
        }}
      />
      <datalist id={listId}>
        {known.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </div>
  );
}
