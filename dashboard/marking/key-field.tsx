import { useRef } from 'preact/hooks';
import { useShortcuts } from '../app/keyboard.ts';

interface KeyFieldProps {
  shortcut: string;
  label: string;
  placeholder: string;
  suggestions?: string[];
  /** False where the text stays in the field to be corrected. */
  onSubmit: (written: string) => boolean;
}

/** A field that a key reaches and Enter leaves, so that the keys of the page work again. */
export function KeyField({ shortcut, label, placeholder, suggestions, onSubmit }: KeyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts('Fields', [{ key: shortcut, what: label, run: () => focusAll(field.current) }]);
  const listId = suggestions && `${shortcut}-suggestions`;
  return (
    <form
      class="key-field"
      onSubmit={(event) => {
        event.preventDefault();
        const { current } = field;
        if (current !== null && onSubmit(current.value)) current.blur();
      }}
    >
      <input
        ref={field}
        aria-label={label}
        placeholder={placeholder}
        list={listId}
        autocomplete="off"
        spellcheck={false}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </form>
  );
}

function focusAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
