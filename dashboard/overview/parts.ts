/** What numbers are grouped by: how it is called, and the filter of logs that leads to one of a group. */
export const PARTS = {
  endpoint: { title: 'Endpoint', filter: 'endpoint' },
  model: { title: 'Model', filter: 'model' },
  key: { title: 'Key', filter: 'key' },
  tag: { title: 'Tag', filter: 'tags_all' },
  status: { title: 'Status', filter: 'status' },
  error: { title: 'Error code', filter: 'error_code' },
  fallback: { title: 'Fallback reason', filter: 'fallback_reason' },
  // The logs that it rejected: those that it let pass are all others.
  plugin: { title: 'Plugin', filter: 'rejected_by' },
} as const;
export type PartName = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as PartName[];

export const isPart = (name: string | null): name is PartName => name !== null && Object.hasOwn(PARTS, name);

/** Filters of logs that numbers can be narrowed by, and the parameter of each. */
export const STAT_FILTERS: Partial<Record<string, 'endpoint' | 'model' | 'key' | 'status' | 'tag'>> = {
  endpoint: 'endpoint',
  model: 'model',
  key: 'key',
  status: 'status',
  tags_all: 'tag',
};
