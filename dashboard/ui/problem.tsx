/** Shows why something failed; screen readers announce it. */
export function Problem({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="error-text" role="alert">
      {text}
    </p>
  );
}
