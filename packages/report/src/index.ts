/**
 * Renders decisions, comparisons and findings as text, HTML, JUnit, Markdown or for GitHub, and
 * traces as OTLP.
 */

export * from './assertion-text.ts';
export * from './call-differences.ts';
export * from './case-name.ts';
export * from './compare-calls.ts';
export * from './comparison-words.ts';
export * from './console-page.ts';
export * from './decision-file.ts';
export { endedTrials } from './ended-trials.ts';
export * from './finding-words.ts';
export * from './github-report.ts';
export * from './goal-words.ts';
export { groupTrials, type TrialGroup } from './group-trials.ts';
export * from './journey-estimate-words.ts';
export * from './journey-words.ts';
export { type RunJudges, voteSentence } from './judge-sentence.ts';
export * from './limit-words.ts';
export * from './merge-sarif.ts';
export * from './mutation-words.ts';
export * from './outline-trial.ts';
export * from './passed-with-failed-stage.ts';
export type { PickedTrials } from './picked-trials.ts';
export * from './pull-request-report.ts';
export * from './read-checks.ts';
export * from './read-ci-results.ts';
export { refusedSentences } from './refused-sentence.ts';
export * from './render-summary.ts';
export { replaySentences } from './replay-sentence.ts';
export * from './report-cases.ts';
export * from './run-sentence.ts';
export * from './session-end-words.ts';
export * from './shared-cause.ts';
export type { TrialCalls } from './show-call.ts';
export * from './statistics-words.ts';
export type { SummaryOutline, TrialFact, TrialOutline } from './summary-outline.ts';
export * from './surface-words.ts';
export * from './symbols.ts';
export * from './token-words.ts';
export * from './test-document.ts';
export * from './test-headline.ts';
export * from './trace-export/export-session.ts';
export * from './trace-export/export-trace.ts';
export * from './trace-export/export-trial.ts';
export * from './trace-export/export-visit.ts';
export * from './trace-export/otlp-document.ts';
export { toldStatus, trialEndWords } from './trial-status-words.ts';
export * from './turn-words.ts';
export { playedAndWhyNot, type ToldAttempt, whyUngraded } from './ungraded-words.ts';
export { hasCancelled } from './validity-sentence.ts';
export { verdictSentence } from './verdict-sentence.ts';
export * from './waiver-of.ts';
export * from './wave-words.ts';
export * from './why-no-verdict.ts';
export { type JunitOptions, renderJunit } from './write-junit.ts';
export { plainSentence } from './write-text.ts';
