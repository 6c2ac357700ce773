import type { LintSeverity } from '@proofmark/domain';

/**
 * A finding about a whole server or about the file that names the server. A finding about a tool
 * has another type.
 */
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
