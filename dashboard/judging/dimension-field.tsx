import { type Dimension, titleOf, type Value, valuesOf } from './judging.ts';

interface DimensionFieldProps {
  dimension: Dimension;
  value: Value | undefined;
  onChange: (value: Value) => void;
  /** Whether the number keys choose a value of this dimension. */
  active: boolean;
}

/** One question with its values. The number keys choose a value of the next unanswered question. */
export function DimensionField({ dimension, value, onChange, active }: DimensionFieldProps) {
  const { name, help, scale } = dimension;
  const values = valuesOf(dimension);
  return (
    <fieldset class={active ? 'dimension active' : 'dimension'}>
      <legend>{titleOf(dimension)}</legend>
      {help !== undefined && <p class="hint">{help}</p>}
      <div class="choice-row">
        {values.map((one, index) => (
          <label key={one}>
            <input
              type="radio"
              name={`dimension-${name}`}
              checked={value === one}
              onChange={() => onChange(one)}
            />
            {one}
            {one === scale?.min && scale.low !== undefined && <span class="muted"> {scale.low}</span>}
            {one === scale?.max && scale.high !== undefined && <span class="muted"> {scale.high}</span>}
            {active && index < 9 && String(one) !== String(index + 1) && <kbd>{index + 1}</kbd>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
