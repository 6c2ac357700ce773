import type { Caller } from '../accounts/store/callers.ts';
import type { ProjectEntry } from '../accounts/store/projects.ts';

export interface AuthenticatedCaller {
  readonly caller: Caller;
  readonly project: ProjectEntry | undefined;
  readonly runRevision: number | undefined;
  readonly epoch: string;
  /** The hash of a person's session token; absent for keys. */
  readonly sessionHash?: Buffer;
}
