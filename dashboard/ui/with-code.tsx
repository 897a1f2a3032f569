/** Shows a sentence in which text between `backticks` is code. */
export function WithCode({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>
  );
}
