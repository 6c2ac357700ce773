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

/** How one step ended. All but the first stop the trial. */
export type StepOutcome =
  | { readonly kind: 'ok'; readonly note?: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'providerFailed'; readonly reason: string }
  /** We could not do what the step needs. */
  | { readonly kind: 'setupFailed'; readonly reason: string }
  | { readonly kind: 'graderFailed'; readonly reason: string };

export const ok: StepOutcome = { kind: 'ok' };
