/** Members of messages, in any dialect, whose strings describe the structure and are no content. */
export const STRUCTURE_MEMBERS: ReadonlySet<string> = new Set([
  'role',
  'type',
  'id',
  'name',
  'detail',
  'format',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'media_type',
  'mime_type',
  'mimeType',
]);
