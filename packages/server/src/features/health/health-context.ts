import type { WidgetsHere } from '../../outside/browser/widgets-here.ts';
import type { ActionContext } from '../../platform/operations/action.ts';
import type { DiskRoom } from './operations/present-health.ts';

export interface HealthParts {
  /** The browser that shows widgets; absent where none is wanted. */
  readonly widgets?: WidgetsHere | undefined;
  /** The room on the disk of the data directory. */
  freeDiskSpace(): Promise<DiskRoom>;
}

export type HealthContext = ActionContext & HealthParts;
