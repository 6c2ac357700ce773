import type { WidgetsHere } from '../../outside/browser/widgets-here.ts';
import type { ActionContext } from '../../platform/operations/action.ts';
import type { DiskRoom } from './operations/present-health.ts';

export interface HealthParts {
  /** The browser that renders widgets, if the operator wants one. */
  readonly widgets?: WidgetsHere | undefined;
  /** Returns the free space on the disk of the data directory. */
  freeDiskSpace(): Promise<DiskRoom>;
}

export type HealthContext = ActionContext & HealthParts;
