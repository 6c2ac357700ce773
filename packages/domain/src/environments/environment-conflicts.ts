export const environmentConflicts = [
  'ENV_ARCHIVED',
  'ENV_HOST_NOT_FOUND',
  'ENV_MODEL_REQUIRED',
  'ENV_SERVER_ATTACHMENT_NOT_FOUND',
  'ENV_SERVER_NOT_FOUND',
  'ENV_SKILL_NOT_FOUND',
  'ENV_PLUGIN_VERSION_NOT_FOUND',
  'ENV_NO_SERVERS',
] as const;
export type FoundConflict = (typeof environmentConflicts)[number];
