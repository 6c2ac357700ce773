/** The context of a turn of a model, without the widgets. */
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
  /** Settings for these turns only; they take precedence over the client's. */
  readonly planned: Pick<PlannedCase, 'system' | 'toolChoice' | ModelParameterName>;
  /** Undefined if no step asks a model. */
  readonly chosen: { readonly model: ChosenModel; readonly apiKey?: string } | undefined;
  readonly opened: OpenedServers;
  readonly offeredTools: OfferedTools;
  readonly log: TrialLog;
  readonly answers: ServerAnswers;
  /** Aborts with the caller, and when its time is over. */
  readonly signal: AbortSignal;
  readonly waits: CallWaits;
  /** What is left for the turn; absent where the turn has no time of its own. */
  readonly time?: TimeLeft;
  /** Absent in a turn of a longer conversation, whose calls keep the ids of their provider. */
  readonly callIds?: OwnCallIds;
  /** The limit of the present step, if its author states one. */
  readonly limit?: StepLimit;
  /** The person who watches the turn; absent if there is none. */
  readonly watcher?: TurnWatcher;
}

/** The client under test, with its closed set of servers. */
export interface TurnPlan
  extends Pick<
    RunPlan,
    'client' | 'servers' | 'skills' | 'toolPolicy' | 'allowWrites' | 'overlay' | 'overrides'
  > {
  readonly limits: Pick<RunPlan['limits'], 'maxModelSteps'>;
}
