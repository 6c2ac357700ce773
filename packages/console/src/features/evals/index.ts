/** The exports of this feature for other features. */
export { mayHaveRunBefore } from './compare/comparable-runs.ts';
export type { RunIds } from './data/eval-runs.ts';
export { type SuiteIds, useRunEstimate, useStartRun } from './data/eval-suites.ts';
export { runBefore } from './data/run-comparison.ts';
export { EvalsSection } from './evals-section.tsx';
export { MakeCase } from './make-case.tsx';
export { isRunEnded } from './runs/follow-run.ts';
export { CancelRun } from './runs/live-progress.tsx';
export { RateBar } from './runs/rate-bar.tsx';
export { readRunSearch, readTrialSearch } from './runs/run-search.ts';
export { type Tone, verdictTone } from './runs/run-tone.ts';
export { lastedWords, runSourceWords, runWords } from './runs/run-words.ts';
export { StageLegend, StageStrip } from './runs/stage-strip.tsx';
export { VerdictHeading } from './runs/verdict-heading.tsx';
export { keepPercent } from './runs/words.tsx';
export { caseOfCall } from './suites/case-of-call.ts';
export { TestServer } from './test-server.tsx';
export { TraceView } from './trials/trace-view.tsx';
