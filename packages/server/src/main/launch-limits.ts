import type { Quotas, Retention } from '@proofmark/domain';
import { defaultVisitTimes, type VisitTimes } from '../features/user-testing/work/visit-times.ts';
import { defaultRunLimits, type RunLimits } from '../platform/spending/run-limits.ts';
import type { Settings } from './settings.ts';
import { whyNoWidgets } from './widgets-of-settings.ts';

/** Returns the quotas from the settings. They apply to organizations without their own. */
export function quotasOf({ storedBytes, trialsPerDay, uploadBytesPerDay }: Settings): Quotas {
  return { storedBytes, trialsPerDay, uploadBytesPerDay };
}

/** Returns the retention rules from the settings. They apply to organizations without their own. */
export function retentionOf(settings: Settings): Retention {
  return {
    runs: settings.keepRuns,
    traces: settings.keepTraces,
    sessions: settings.keepSessions,
  };
}

export function visitTimesOf(settings: Settings): VisitTimes {
  return {
    settleMs: settings.settleMs,
    miningDebounceMs: settings.miningDebounceMs,
    idleMs: defaultVisitTimes.idleMs,
    retentionDays: settings.visitorRetentionDays,
  };
}

export function launchLimits(settings: Settings): RunLimits {
  return {
    concurrentRuns: settings.concurrentRuns,
    trialsAtOncePerRun: settings.trialsPerRun,
    trialTimeoutMs: settings.trialTimeoutMs,
    maxModelSteps: settings.modelSteps,
    runTimeoutMs: settings.runTimeoutMs,
    reportTimeoutMs: settings.reportTimeoutMs,
    sessionsPerRun: settings.sessionsPerRun,
    sessionTimeoutMs: settings.sessionTimeoutMs,
    turnTimeoutMs: defaultRunLimits.turnTimeoutMs,
    userTimeoutMs: defaultRunLimits.userTimeoutMs,
    journeyRunTimeoutMs: settings.journeyRunTimeoutMs,
    quotas: quotasOf(settings),
    creditsPerDay: settings.creditsPerDay,
    noWidgets: whyNoWidgets(settings),
    judgeModel: settings.judgeModel ?? undefined,
  };
}
