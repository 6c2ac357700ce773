export const rerunScopes = ['failed', 'notGraded', 'all'] as const;
export type RerunScope = (typeof rerunScopes)[number];

export interface RerunOf {
  readonly runId: string;
  readonly scope: RerunScope;
}
