import type { LintSeverity } from '@proofmark/domain';

/** A finding about a whole server or the file that names it, instead of about a tool. */
export interface SurfaceFinding {
  readonly rule: string;
  readonly severity: LintSeverity;
  readonly serverName: string | null;
  readonly file?: string;
  /** A JSON pointer into the file. */
  readonly path?: string;
  readonly message: string;
  readonly reason: string;
  readonly trials: readonly [];
}
