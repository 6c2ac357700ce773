import type {
  AskedAssertion,
  PlannedCase,
  ProjectedSteps,
  RunPlan,
  StatedRow,
} from '@proofmark/domain';
import type { Clock } from './paused-clocks.ts';
import type { StatedLimits } from './stated-limits.ts';
import type { TurnParts } from './turn-parts.ts';
import type { WidgetsOfTrial } from './widgets-of-trial.ts';

export interface TurnContext extends TurnParts {
  /** Absent if no widget is rendered. */
  readonly widgets?: WidgetsOfTrial;
}

export interface TrialContext extends TurnContext {
  readonly plan: RunPlan;
  readonly planned: PlannedCase;
  readonly projected: ProjectedSteps;
  /** The trial's clock. It is paused while a judge or scorer evaluates an assertion. */
  readonly clock: Clock;
  readonly limits: StatedLimits;
  readonly rows: readonly StatedRow[];
  readonly asked: AskedAssertion[];
}
