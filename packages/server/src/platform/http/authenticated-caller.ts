/**
 * The authenticated caller, and the project and run in the path as far as the caller may see them.
 */
import type { Caller } from '../accounts/store/callers.ts';
import type { ProjectEntry } from '../accounts/store/projects.ts';

export interface AuthenticatedCaller {
  readonly caller: Caller;
  /** The project in the path, if the caller may reach it. */
  readonly project: ProjectEntry | undefined;
  /** The revision of the run in the path, if it is in that project. */
  readonly runRevision: number | undefined;
  /** The epoch of the data when the caller was found. */
  readonly epoch: string;
  /** The hash of a person's session token; absent for keys. */
  readonly sessionHash?: Buffer;
}
