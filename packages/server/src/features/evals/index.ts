export type { EvalsParts, EvalsProject } from './evals-context.ts';
export { contextOfReplayed } from './operations/runs/context-of-replayed.ts';
export {
  contextOf,
  environmentContext,
  type LaunchContext,
} from './operations/runs/launch-context.ts';
export { launchDependenciesOf } from './operations/runs/launch-dependencies-of.ts';
export { launches } from './operations/runs/launches.ts';
export { prepareSaved } from './operations/runs/prepare-launch.ts';
export type { LaunchDependencies, PreparedLaunch } from './operations/runs/prepared-launch.ts';
export { presentLint } from './operations/runs/present-lint.ts';
export { presentRun } from './operations/runs/present-run.ts';
export { presentTrial } from './operations/runs/present-trial.ts';
export { resolveReplay } from './operations/runs/resolve-replay.ts';
export { refuseTooManyRuns } from './operations/runs/write-launch.ts';
export { addEvalCase } from './operations/suites/create-eval-case.ts';
export { findSuite } from './operations/suites/find-suite.ts';
export { refuseStatedAssertions } from './operations/suites/refuse-assertions.ts';
export { listToolsToDraft, type ServerSelection } from './operations/suites/tools-to-draft.ts';
export { countsForSuiteIn } from './store/counts-for-suite.ts';
export { readEndedTrials, readTrialToExport } from './store/ended-trials.ts';
export { readRun, readRunsById, type StoredRun } from './store/eval-runs.ts';
export { findNewestRunOn, listFailingTrials } from './store/failing-trials.ts';
export { findWaiversInForce, type StoredWaiver } from './store/gate-waivers.ts';
export { listSteadyVariants, type SteadyVariant } from './store/histories.ts';
export { countHeldSlots, lockLaunches } from './store/launched-runs.ts';
export { namesIn, rememberListedTools } from './store/listed-tools.ts';
export {
  bytesPerRow,
  type ChangedRun,
  type MeasuredRuns,
  recentDays,
  runsAtOnce,
  type WhichRuns,
} from './store/measured-runs.ts';
export { openRecordingContent, readDurations } from './store/open-recording.ts';
export { listRecordedTrials, readRecordingAt } from './store/recorded-trials.ts';
export { expireRecordings } from './store/recordings.ts';
export type { RunLocation } from './store/run-location.ts';
export { readSample } from './store/sample.ts';
export { pinnedProvidersField } from './store/sealed-fields.ts';
export { readSpendingOfRun, readTokensPerTrial } from './store/spending-of-run.ts';
export { readTrials, type StoredTrial } from './store/stored-trials.ts';
export { bytesOfWidgets, removeWidgets } from './store/stored-widgets.ts';
export { findNewestSurface, holdSurface } from './store/tool-surfaces.ts';
export {
  type ListedTrial,
  readNewestTrials,
  readTrialSession,
  readTrialsThatMaySay,
  type TrialSession,
} from './store/trial-sessions.ts';
export {
  type OpeningDependencies,
  type OpenModels,
  openModels,
  openServers,
} from './work/open-parts.ts';
export { OpenRunCache } from './work/open-run-cache.ts';
export { scorersOfRun } from './work/scorers-of-run.ts';
export { recordWithoutSecrets } from './work/without-secrets.ts';
export type { RunDependencies, WorkerDependencies } from './work/worker-parts.ts';
