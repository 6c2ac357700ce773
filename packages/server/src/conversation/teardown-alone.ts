/**
 * Makes the clean-up calls of a trial whose worker died before it could make them. They need new
 * sessions, because the trial's sessions ended with the worker. Returns the warnings.
 */
import {
  answersUrls,
  Deadline,
  type PlannedTrial,
  type RunPlan,
  setupLists,
  type TrialWarning,
} from '@proofmark/domain';
import { CallWaits } from './call-waits.ts';
import { makeSetupCalls, teardownWarnings } from './make-setup-calls.ts';
import { offeredToolsOf } from './offered-tools.ts';
import { ServerAnswers } from './server-answers.ts';
import { TimeOfCalls } from './time-of-calls.ts';
import type { TrialDependencies } from './trial-dependencies.ts';
import { TrialLog } from './trial-log.ts';

export async function teardownAlone(
  dependencies: TrialDependencies,
  plan: RunPlan,
  { caseIndex, variantIndex }: PlannedTrial,
  signal: AbortSignal,
  onBegun: () => void,
): Promise<TrialWarning[]> {
  const planned = plan.cases[caseIndex];
  const variant = planned?.variants[variantIndex];
  if (planned === undefined || variant === undefined)
    throw new Error('Internal fault: the plan of the run does not contain this trial.');
  const lists = setupLists('after', plan, planned);
  const tooLong = () => new Error('The servers could not be opened in time.');
  const opening = new Deadline(plan.limits.trialTimeoutMs, tooLong, signal);
  const time = new TimeOfCalls(opening);
  try {
    const servers = await dependencies.servers.forTrial(opening.signal, time);
    try {
      const own = { ...dependencies, servers };
      const log = new TrialLog(() => dependencies.elapsedMs());
      const answers = new ServerAnswers(own, planned, variant, log, signal);
      const { onServerRequest } = answers;
      const opened = await servers.open(opening.signal, {
        onServerRequest,
        answersUrls: answersUrls(planned),
      });
      const offeredTools = offeredToolsOf(plan, opened);
      const made = await makeSetupCalls(
        {
          dependencies: own,
          plan,
          planned,
          chosen: undefined,
          opened,
          offeredTools,
          log,
          answers,
          signal,
          waits: new CallWaits(),
        },
        'after',
        lists,
        { time, onBegun },
      );
      return teardownWarnings(made.failures);
    } finally {
      servers.close();
    }
  } finally {
    opening.end();
  }
}
