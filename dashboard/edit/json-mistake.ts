/** One token of JSON at a place: a string, a number, a word, or a mark. */
const TOKEN =
  /(?:("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/y;

const SPACE = /[ \t\r\n]*/y;

/** The offset at which a text stops being JSON; undefined where it is JSON. Not all browsers report this. */
export function jsonMistakeAt(text: string): number | undefined {
  /** The objects and lists that are open at this place. */
  const open: ('{' | '[')[] = [];
  let expected: 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' = 'value';
  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.test(text);
    const start = SPACE.lastIndex;
    TOKEN.lastIndex = start;
    const token = TOKEN.exec(text);
    if (token === null) {
      const isDone = start === text.length && open.length === 0 && expected === ', or end';
      return isDone ? undefined : start;
    }
    const [, string, scalar, mark] = token;
    const wantsValue = expected === 'value' || expected === 'value or ]';
    const wantsKey = expected === 'key' || expected === 'key or }';
    if (wantsValue && (string ?? scalar) !== undefined) expected = ', or end';
    else if (wantsKey && string !== undefined) expected = ':';
    else if (expected === ':' && mark === ':') expected = 'value';
    else if (wantsValue && mark === '{') {
      open.push('{');
      expected = 'key or }';
    } else if (wantsValue && mark === '[') {
      open.push('[');
      expected = 'value or ]';
    } else if (mark === '}' && open.at(-1) === '{' && (expected === 'key or }' || expected === ', or end')) {
      open.pop();
      expected = ', or end';
    } else if (
      mark === ']' &&
      open.at(-1) === '[' &&
      (expected === 'value or ]' || expected === ', or end')
    ) {
      open.pop();
      expected = ', or end';
    } else if (mark === ',' && expected === ', or end' && open.length > 0) {
      expected = open.at(-1) === '{' ? 'key' : 'value';
    } else return start;
    at = TOKEN.lastIndex;
  }
}
