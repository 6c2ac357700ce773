/** What a turn of a model works with, and what the steps of a trial need beside that. */
import type {
  AskedAssertion,
  ChosenModel,
  ModelParameterName,
  PlannedCase,
  ProjectedSteps,
  RunPlan,
  StatedRow,
} from '@proofmark/domain';
import type { CallWaits } from './call-waits.ts';
import type { Clock } from './held-clocks.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { OpenedServers } from './run-servers.ts';
import type { ServerAnswers } from './server-answers.ts';
import type { StatedLimits, StepLimit } from './stated-limits.ts';
import type { OwnSessionDependencies } from './trial-dependencies.ts';
import type { TrialLog } from './trial-log.ts';
import type { TurnWatcher } from './turn-watcher.ts';
import type { WidgetsOfTrial } from './widgets-of-trial.ts';

export interface TurnContext {
  readonly dependencies: OwnSessionDependencies;
  readonly plan: TurnPlan;
  /** What is said for these turns alone; it wins over what the client says. */
  readonly planned: Pick<PlannedCase, 'system' | 'toolChoice' | ModelParameterName>;
  /** Absent where no step asks a model. */
  readonly chosen: { readonly model: ChosenModel; readonly apiKey?: string } | undefined;
  readonly opened: OpenedServers;
  readonly offeredTools: OfferedTools;
  readonly log: TrialLog;
  readonly answers: ServerAnswers;
  /** Ends with whoever asked for it, and when its time is over. */
  readonly signal: AbortSignal;
  readonly waits: CallWaits;
  /** Of the step that is played, where its author states one. */
  readonly limit?: StepLimit;
  /** The person who is there while the turn goes on; absent where nobody is. */
  readonly watcher?: TurnWatcher;
  /** Absent where no widget is shown. */
  readonly widgets?: WidgetsOfTrial;
}

/** The client that is played, on its closed set of servers. */
export interface TurnPlan extends Pick<RunPlan, 'client' | 'servers' | 'skills' | 'toolPolicy'> {
  readonly limits: Pick<RunPlan['limits'], 'maxModelSteps'>;
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
