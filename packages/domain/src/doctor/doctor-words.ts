export const doctorStatuses = ['ready', 'oauth_required', 'partial', 'error'] as const;
export type DoctorStatus = (typeof doctorStatuses)[number];

export const doctorConnectionStates = ['connected', 'error', 'skipped'] as const;
export type DoctorConnectionState = (typeof doctorConnectionStates)[number];

export const doctorCheckStates = ['ok', 'error', 'skipped'] as const;
export type DoctorCheckState = (typeof doctorCheckStates)[number];

/** The checks, in the order in which they are made. */
export const doctorChecks = [
  'probe',
  'connection',
  'initialization',
  'capabilities',
  'tools',
  'resources',
  'resourceTemplates',
  'prompts',
] as const;
export type DoctorCheckName = (typeof doctorChecks)[number];
