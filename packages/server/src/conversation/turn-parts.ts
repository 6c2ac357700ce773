import type { ChosenModel, ModelParameterName, PlannedCase, RunPlan } from '@proofmark/domain';
import type { CallWaits } from './call-waits.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { OwnCallIds } from './own-call-ids.ts';
import type { OpenedServers, TimeLeft } from './run-servers.ts';
import type { ServerAnswers } from './server-answers.ts';
import type { StepLimit } from './stated-limits.ts';
import type { OwnSessionDependencies } from './trial-dependencies.ts';
import type { TrialLog } from './trial-log.ts';
import type { TurnWatcher } from './turn-watcher.ts';

export interface TurnParts {
  readonly dependencies: OwnSessionDependencies;
  readonly plan: TurnPlan;
  /** Settings of this turn. They override the client's settings. */
  readonly planned: Pick<PlannedCase, 'system' | 'toolChoice' | ModelParameterName>;
  readonly chosen: { readonly model: ChosenModel; readonly apiKey?: string } | undefined;
  readonly opened: OpenedServers;
  readonly offeredTools: OfferedTools;
  readonly log: TrialLog;
  readonly answers: ServerAnswers;
  /** Aborted when the caller aborts, and when the turn's time ends. */
  readonly signal: AbortSignal;
  readonly waits: CallWaits;
  /** The remaining time of the turn; absent if the turn has no time limit of its own. */
  readonly time?: TimeLeft;
  /**
   * Renumbers call ids. Absent in a turn of a longer conversation, whose calls keep their
   * provider's ids.
   */
  readonly callIds?: OwnCallIds;
  readonly limit?: StepLimit;
  readonly watcher?: TurnWatcher;
}

/** The client under test. It may use only the servers listed here. */
export interface TurnPlan
  extends Pick<
    RunPlan,
    'client' | 'servers' | 'skills' | 'toolPolicy' | 'allowWrites' | 'overlay' | 'overrides'
  > {
  readonly limits: Pick<RunPlan['limits'], 'maxModelSteps'>;
}
