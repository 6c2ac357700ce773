import type { WidgetsHere } from '../../outside/browser/widgets-here.ts';
import type { ActionContext } from '../../platform/operations/action.ts';
import type { DiskRoom } from './operations/present-health.ts';

export interface HealthParts {
  readonly widgets?: WidgetsHere | undefined;
  freeDiskSpace(): Promise<DiskRoom>;
}

export type HealthContext = ActionContext & HealthParts;
