import type { WidgetsHere } from '../../outside/browser/widgets-here.ts';
import type { ActionContext } from '../../platform/operations/action.ts';
import type { DiskHealth } from './operations/present-health.ts';

export interface HealthParts {
  readonly widgets?: WidgetsHere | undefined;
  freeDiskSpace(): Promise<DiskHealth>;
}

export type HealthContext = ActionContext & HealthParts;
