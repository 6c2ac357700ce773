import type { RunLimits } from '../actions/eval-runs/run-limits.ts';
import type { Settings } from './settings.ts';

export function launchLimits(settings: Settings): RunLimits {
  return {
    concurrentRuns: settings.concurrentRuns,
    trialsAtOncePerRun: settings.trialsPerRun,
    trialTimeoutMs: settings.trialTimeoutMs,
    maxModelSteps: settings.modelSteps,
    runTimeoutMs: settings.runTimeoutMs,
    reportTimeoutMs: settings.reportTimeoutMs,
    creditsPerDay: settings.creditsPerDay,
  };
}
