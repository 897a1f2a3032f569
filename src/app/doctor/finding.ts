/** What `sluice doctor` reports about one subject. */
export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'problem' | 'skipped';
  detail: string;
  /** What to do; only problems have it. */
  remedy?: string;
}

export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail };
}

export function warning(check: string, detail: string): Finding {
  return { check, status: 'warning', detail };
}

export function problem(check: string, detail: string, remedy: string): Finding {
  return { check, status: 'problem', detail, remedy };
}

export function skipped(check: string, detail: string): Finding {
  return { check, status: 'skipped', detail };
}
