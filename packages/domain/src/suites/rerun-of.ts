export const rerunScopes = ['failed', 'notGraded', 'all'] as const;
export type RerunScope = (typeof rerunScopes)[number];

/** Which run is run again, and what of it. */
export interface RerunOf {
  readonly runId: string;
  readonly scope: RerunScope;
}
