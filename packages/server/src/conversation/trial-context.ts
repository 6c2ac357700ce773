/** What a turn of a model works with, and what the steps of a trial need beside that. */
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
  /** Absent where no widget is shown. */
  readonly widgets?: WidgetsOfTrial;
}

export interface TrialContext extends TurnContext {
  readonly plan: RunPlan;
  readonly planned: PlannedCase;
  readonly projected: ProjectedSteps;
  /** Of the trial; stands still while it is graded by somebody outside. */
  readonly clock: Clock;
  readonly limits: StatedLimits;
  readonly rows: readonly StatedRow[];
  /** Of the steps so far. */
  readonly asked: AskedAssertion[];
}
