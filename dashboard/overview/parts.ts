/** What statistics can be grouped by, each with its title and the filter that finds the logs of a group. */
export const PARTS = {
  endpoint: { title: 'Endpoint', filter: 'endpoint' },
  model: { title: 'Model', filter: 'model' },
  key: { title: 'Key', filter: 'key' },
  tag: { title: 'Tag', filter: 'tags_all' },
  status: { title: 'Status', filter: 'status' },
  error: { title: 'Error code', filter: 'error_code' },
  fallback: { title: 'Fallback reason', filter: 'fallback_reason' },
  // This filter finds the logs that the plugin rejected, because it let all others pass.
  plugin: { title: 'Plugin', filter: 'rejected_by' },
} as const;
export type PartName = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as PartName[];

export const isPart = (name: string | null): name is PartName => name !== null && Object.hasOwn(PARTS, name);

/** The filters of logs by which statistics can be narrowed, each with the parameter of the statistics. */
export const STAT_FILTERS: Partial<Record<string, 'endpoint' | 'model' | 'key' | 'status' | 'tag'>> = {
  endpoint: 'endpoint',
  model: 'model',
  key: 'key',
  status: 'status',
  tags_all: 'tag',
};
