export const rerunScopes = ['failed', 'notGraded', 'all'] as const;
export type RerunScope = (typeof rerunScopes)[number];

/** The run to repeat, and which part of it. */
export interface RerunOf {
  readonly runId: string;
  readonly scope: RerunScope;
}
