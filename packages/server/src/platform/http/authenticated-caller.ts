/** Who calls, and what of the path is theirs to see. */
import type { Caller } from '../accounts/store/callers.ts';
import type { ProjectEntry } from '../accounts/store/projects.ts';

export interface AuthenticatedCaller {
  readonly caller: Caller;
  /** The project of the path, when it is in reach of the caller. */
  readonly project: ProjectEntry | undefined;
  /** Of the run of the path, when it is in that project. */
  readonly runRevision: number | undefined;
  /** Of the data that all this was found in. */
  readonly epoch: string;
  /** Of a person's session; keys have none. */
  readonly sessionHash?: Buffer;
}
