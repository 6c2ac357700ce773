/** The context of a turn of a model, and the further parts that the steps of a trial need. */
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
  /** The clock of the trial; paused while an assertion is answered outside. */
  readonly clock: Clock;
  readonly limits: StatedLimits;
  readonly rows: readonly StatedRow[];
  /** The assertions of the steps so far. */
  readonly asked: AskedAssertion[];
}
