/** Why something could not be done, for everybody to see and to hear. */
export function Problem({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="error-text" role="alert">
      {text}
    </p>
  );
}
