import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { WithCode } from './with-code.tsx';

interface ControlProps {
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
}

const InField = createContext<ControlProps>({});

/** The attributes that connect a control with the label, hint and error of the field around it. */
export function useControlProps(): ControlProps {
  return useContext(InField);
}

interface FieldProps {
  label: string;
  hint?: string;
  error?: string;
  children: ComponentChildren;
}

/** A control with its label, a hint, and what is wrong with its value. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const wrong = error !== undefined;
  const control: ControlProps = {
    id,
    'aria-describedby': wrong || hint ? `${id}-about` : undefined,
    'aria-invalid': wrong || undefined,
  };
  return (
    <div class={wrong ? 'field wrong' : 'field'}>
      <label for={id}>{label}</label>
      <InField.Provider value={control}>{children}</InField.Provider>
      {wrong ? (
        <p id={`${id}-about`} class="error-text" role="alert">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-about`} class="hint">
            <WithCode text={hint} />
          </p>
        )
      )}
    </div>
  );
}

interface TextProps {
  value: string;
  onInput: (value: string) => void;
  placeholder?: string;
  type?: 'text' | 'password' | 'number' | 'datetime-local';
  autofocus?: boolean;
  readonly?: boolean;
  label?: string;
  /** Known values that the reader can choose. */
  suggestions?: readonly string[];
}

export function TextInput({
  value,
  onInput,
  type = 'text',
  autofocus,
  label,
  suggestions,
  ...rest
}: TextProps) {
  const listId = useId();
  const input = (
    <input
      {...useControlProps()}
      list={suggestions === undefined ? undefined : listId}
      aria-label={label}
      type={type as 'text'}
      value={value}
      step="any"
      autocomplete="off"
      spellcheck={false}
      ref={(element) => {
        if (autofocus && element && element.dataset.focused === undefined) {
          element.dataset.focused = '';
          element.focus();
        }
      }}
      onInput={(event) => onInput(event.currentTarget.value)}
      {...rest}
    />
  );
  if (suggestions === undefined) return input;
  return (
    <>
      {input}
      <datalist id={listId}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

interface AreaProps extends Omit<TextProps, 'type' | 'suggestions'> {
  rows?: number;
  code?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function TextArea({ value, onInput, rows = 4, code, autofocus, label, ...rest }: AreaProps) {
  return (
    <textarea
      {...useControlProps()}
      aria-label={label}
      class={code ? 'code' : undefined}
      rows={rows}
      spellcheck={!code}
      value={value}
      ref={(element) => {
        if (autofocus && element && element.dataset.focused === undefined) {
          element.dataset.focused = '';
          element.focus();
        }
      }}
      onInput={(event) => onInput(event.currentTarget.value)}
      {...rest}
    />
  );
}

interface SelectProps<Value extends string> {
  value: Value;
  options: readonly (Value | { value: Value; label: string })[];
  onChange: (value: Value) => void;
  label?: string;
  disabled?: boolean;
}

export function Select<Value extends string>({
  value,
  options,
  onChange,
  label,
  disabled,
}: SelectProps<Value>) {
  return (
    <select
      {...useControlProps()}
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value as Value)}
    >
      {options.map((option) => {
        const { value: name, label: text } =
          typeof option === 'string' ? { value: option, label: option } : option;
        return (
          <option key={name} value={name}>
            {text}
          </option>
        );
      })}
    </select>
  );
}
