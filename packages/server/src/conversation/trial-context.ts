/** The context of a trial: that of a model's turn, and what the trial's steps need in addition. */
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
  /** The trial's widgets; absent if none is rendered. */
  readonly widgets?: WidgetsOfTrial;
}

export interface TrialContext extends TurnContext {
  readonly plan: RunPlan;
  readonly planned: PlannedCase;
  readonly projected: ProjectedSteps;
  /** The clock of the trial. It is paused while a judge or scorer answers an assertion. */
  readonly clock: Clock;
  readonly limits: StatedLimits;
  readonly rows: readonly StatedRow[];
  /** The assertions evaluated by steps so far. */
  readonly asked: AskedAssertion[];
}
