import type { LintSeverity } from '@proofmark/domain';

/** A finding about a server as a whole or about the file that names it, not about a tool. */
export interface SurfaceFinding {
  readonly rule: string;
  readonly severity: LintSeverity;
  readonly serverName: string | null;
  /** The file that the finding is about. */
  readonly file?: string;
  /** A JSON pointer into the file. */
  readonly path?: string;
  readonly message: string;
  /** Why the finding matters. */
  readonly reason: string;
  readonly trials: readonly [];
}
