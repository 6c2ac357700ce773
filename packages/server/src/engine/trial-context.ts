/** What the steps of one trial work with. */
import type {
  AskedAssertion,
  ChosenModel,
  PlannedCase,
  ProjectedSteps,
  RunPlan,
} from '@proofmark/domain';
import type { OfferedTools } from './offered-tools.ts';
import type { OpenedServers } from './run-servers.ts';
import type { ServerAnswers } from './server-answers.ts';
import type { OwnSessionDependencies } from './trial-dependencies.ts';
import type { TrialLog } from './trial-log.ts';

export interface TrialContext {
  readonly dependencies: OwnSessionDependencies;
  readonly plan: RunPlan;
  readonly planned: PlannedCase;
  readonly projected: ProjectedSteps;
  /** Absent where no step asks a model. */
  readonly chosen: { readonly model: ChosenModel; readonly apiKey?: string } | undefined;
  readonly opened: OpenedServers;
  readonly offeredTools: OfferedTools;
  readonly log: TrialLog;
  readonly answers: ServerAnswers;
  /** Of the steps so far. */
  readonly asked: AskedAssertion[];
  /** Ends with whoever asked for the trial, and when its time is over. */
  readonly signal: AbortSignal;
}
