interface Asked {
  model: string | null;
  attempts: readonly { provider: string; model: string }[];
}

/** The model that answered, or the one that was tried last where none did. */
export function ModelName({ log: { model, attempts } }: { log: Asked }) {
  if (model !== null) return <>{model}</>;
  const last = attempts.at(-1);
  if (last === undefined) return <span class="faint">–</span>;
  return (
    <span class="muted" title="This model was tried last. No model answered.">
      {last.provider}/{last.model}
    </span>
  );
}
