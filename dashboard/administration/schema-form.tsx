import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Field, Select, TextArea, TextInput } from '../ui/field.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { emptyOf, type JsonSchema, mistakeOf } from './schema.ts';
import { labelOf, oneOf } from './words.ts';

export interface FormProps {
  schema: JsonSchema;
  value: unknown;
  onChange: (value: unknown) => void;
  /** The place of the value with dots between its members, as the server names places of mistakes. */
  path: string;
  /** The mistakes that the server reported, by the path of the value. */
  mistakes: ReadonlyMap<string, string>;
  label: string;
  required?: boolean;
  /** Returns the schema of a value where it depends on another member, such as a plugin's `config`. */
  schemaAt?: (path: string, schema: JsonSchema) => JsonSchema;
}

/**
 * A form made from a JSON Schema, which is checked while the reader types. Values for which it has no control are
 * edited as JSON.
 */
export function SchemaForm(props: FormProps) {
  const schema = props.schemaAt?.(props.path, props.schema) ?? props.schema;
  const { value, onChange, path, label, required } = props;
  if (value === undefined && !required && (schema.type === 'object' || schema.type === 'array')) {
    return (
      <div class="absent">
        <Button small quiet icon="plus" onClick={() => onChange(emptyOf(schema))}>
          {label}
        </Button>
        {schema.description && (
          <span class="hint">
            <WithCode text={schema.description} />
          </span>
        )}
      </div>
    );
  }
  if (schema.type === 'object' && schema.properties) return <ObjectForm {...props} schema={schema} />;
  if (schema.type === 'array' && schema.items) {
    return schema.items.enum ? (
      <Choices {...props} schema={schema} />
    ) : (
      <ListForm {...props} schema={schema} />
    );
  }
  const error = props.mistakes.get(path) ?? mistakeOf(schema, value);
  const hint = [...(required ? ['Required.'] : []), schema.description ?? ''].join(' ').trim() || undefined;
  const options = choicesOf(schema);
  if (options) {
    return (
      <Field label={label} hint={hint} error={error}>
        <Select
          value={value === undefined ? '' : JSON.stringify(value)}
          options={[
            {
              value: '',
              label:
                schema.default !== undefined
                  ? `default: ${show(schema.default)}`
                  : required
                    ? 'Choose …'
                    : 'not set',
            },
            ...options.map((option) => ({ value: JSON.stringify(option), label: show(option) })),
          ]}
          onChange={(text) => onChange(text === '' ? undefined : JSON.parse(text))}
        />
      </Field>
    );
  }
  if (schema.type === 'string' || schema.type === 'integer' || schema.type === 'number') {
    const isNumber = schema.type !== 'string';
    return (
      <Field label={label} hint={hint} error={error}>
        <TextInput
          type={isNumber ? 'number' : 'text'}
          value={value === undefined ? '' : String(value)}
          placeholder={schema.default === undefined ? undefined : `default: ${show(schema.default)}`}
          suggestions={schema.suggestions}
          onInput={(text) => onChange(text === '' ? undefined : isNumber ? Number(text) : text)}
        />
      </Field>
    );
  }
  return <JsonField {...props} schema={schema} error={error} />;
}

function ObjectForm(props: FormProps) {
  const { schema, onChange, path, label, required } = props;
  const value = (props.value ?? {}) as Record<string, unknown>;
  const error = props.mistakes.get(path);
  const members = Object.entries(schema.properties ?? {});
  const set = (name: string, next: unknown) => {
    const { [name]: _before, ...rest } = value;
    onChange(next === undefined ? rest : { ...value, [name]: next });
  };
  const form = members.map(([name, member]) => (
    <SchemaForm
      key={name}
      {...props}
      schema={member}
      value={value[name]}
      onChange={(next) => set(name, next)}
      path={path === '' ? name : `${path}.${name}`}
      label={labelOf(name)}
      required={schema.required?.includes(name)}
    />
  ));
  if (path === '') return <div class="schema-form">{form}</div>;
  return (
    <fieldset class="schema-object">
      <legend>
        {label}
        {!required && (
          <Button small quiet icon="trash" label={`Remove ${label}`} onClick={() => onChange(undefined)} />
        )}
      </legend>
      {error && <p class="error-text">{error}</p>}
      {form}
    </fieldset>
  );
}

function ListForm(props: FormProps) {
  const { schema, onChange, path, label, required } = props;
  const items = Array.isArray(props.value) ? props.value : [];
  const itemSchema = schema.items as JsonSchema;
  const error = props.mistakes.get(path);
  const isText = itemSchema.type === 'string';
  const move = (index: number, by: number) => {
    const next = [...items];
    const [moved] = next.splice(index, 1);
    next.splice(index + by, 0, moved);
    onChange(next);
  };
  const remove = (index: number) => {
    const next = items.filter((_, at) => at !== index);
    onChange(next.length === 0 && !required ? undefined : next);
  };
  return (
    <fieldset class="schema-list">
      <legend>{label}</legend>
      {schema.description && (
        <p class="hint">
          <WithCode text={schema.description} />
        </p>
      )}
      {error && <p class="error-text">{error}</p>}
      {items.map((item, index) => (
        <div key={index} class={isText ? 'schema-item text' : 'schema-item'}>
          <SchemaForm
            {...props}
            schema={itemSchema}
            value={item}
            required
            onChange={(next) => onChange(items.map((one, at) => (at === index ? next : one)))}
            path={`${path}.${index}`}
            label={`${oneOf(label)} ${index + 1}`}
          />
          <span class="schema-item-tools">
            <Button
              small
              quiet
              label={`Move ${oneOf(label)} ${index + 1} up`}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            >
              ↑
            </Button>
            <Button
              small
              quiet
              icon="trash"
              label={`Remove ${oneOf(label)} ${index + 1}`}
              onClick={() => remove(index)}
            />
          </span>
        </div>
      ))}
      <Button small icon="plus" onClick={() => onChange([...items, emptyOf(itemSchema)])}>
        Add {oneOf(label).toLowerCase()}
      </Button>
    </fieldset>
  );
}

/** A control to choose several of a few values. */
function Choices({ schema, value, onChange, label, path, mistakes }: FormProps) {
  const options = schema.items?.enum ?? [];
  const chosen = Array.isArray(value) ? value : ((schema.default as unknown[] | undefined) ?? []);
  const error = mistakes.get(path);
  return (
    <fieldset class="choices boxed">
      <legend>{label}</legend>
      {schema.description && (
        <p class="hint">
          <WithCode text={schema.description} />
        </p>
      )}
      <div class="choice-row">
        {options.map((option) => (
          <label key={String(option)}>
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={() =>
                onChange(
                  chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option],
                )
              }
            />
            {show(option)}
          </label>
        ))}
      </div>
      {error && <p class="error-text">{error}</p>}
    </fieldset>
  );
}

function JsonField({ schema, value, onChange, label, error }: FormProps & { error: string | undefined }) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [wrong, setWrong] = useState<string>();
  const write = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next));
      setWrong(undefined);
    } catch {
      setWrong('is not valid JSON yet');
    }
  };
  return (
    <Field label={label} hint={schema.description ?? 'As JSON.'} error={wrong ?? error}>
      <TextArea code rows={3} value={text} onInput={write} />
    </Field>
  );
}

function choicesOf(schema: JsonSchema): unknown[] | undefined {
  if (schema.enum) return schema.enum;
  if (schema.type === 'boolean') return [true, false];
  const parts = schema.anyOf?.map(choicesOf);
  return parts?.every((part) => part !== undefined) ? parts.flat() : undefined;
}

function show(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
