import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';

const FieldId = createContext<string | undefined>(undefined);

/** The id that the control of the field around it must have. */
export function useFieldId(): string | undefined {
  return useContext(FieldId);
}

interface FieldProps {
  label: string;
  hint?: string;
  error?: string;
  children: ComponentChildren;
}

/** A labelled control, with what to know about it and what is wrong with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  return (
    <div class={error === undefined ? 'field' : 'field wrong'}>
      <label for={id}>{label}</label>
      <FieldId.Provider value={id}>{children}</FieldId.Provider>
      {error === undefined ? (
        hint && <p class="hint">{hint}</p>
      ) : (
        <p class="error-text" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface TextProps {
  value: string;
  onInput: (value: string) => void;
  placeholder?: string;
  type?: 'text' | 'password' | 'number';
  autofocus?: boolean;
  readonly?: boolean;
  label?: string;
}

export function TextInput({ value, onInput, type = 'text', autofocus, label, ...rest }: TextProps) {
  return (
    <input
      id={useFieldId()}
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
}

interface AreaProps extends Omit<TextProps, 'type'> {
  rows?: number;
  code?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function TextArea({ value, onInput, rows = 4, code, autofocus, label, ...rest }: AreaProps) {
  return (
    <textarea
      id={useFieldId()}
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
      id={useFieldId()}
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
