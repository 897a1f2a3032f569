/** A text that YAML reads as itself without quotes. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_./-]*$/;
const WORDS_OF_YAML = /^(?:true|false|yes|no|on|off|null|y|n)$/i;

/** A JSON value as YAML, as sluice.yaml has it. */
export function toYaml(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []';
    return value
      .map((one) => {
        const text = toYaml(one, `${indent}  `);
        // The first member of a map stands beside the dash.
        return `\n${indent}- ${text.trimStart()}`;
      })
      .join('');
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    if (members.length === 0) return ' {}';
    return members
      .map(([key, member]) => `\n${indent}${scalar(key)}:${toYaml(member, `${indent}  `)}`)
      .join('');
  }
  return ` ${scalar(value)}`;
}

/** JSON's own form is YAML too. */
function scalar(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value) && !WORDS_OF_YAML.test(value)) return value;
  return JSON.stringify(value);
}
