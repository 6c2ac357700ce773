/**
 * The screen of `--watch`: a line for each case, failing cases first, then the reasons and the time
 * of the test. The screen is never taller than the window, so it can be redrawn without scrolling.
 */
import { candidateSentences, groupTrials, plainSentence } from '@proofmark/report';
import { exitCodes } from '../../remote/exit-codes.ts';
import { sentenceWrapper, type WrapSentence } from '../../remote/indented-lines.ts';
import { type LiveScreen, type LiveTrial, liveLines } from '../../remote/live-lines.ts';
import type { TestedSuite } from './test-suite.ts';

export interface WatchedTest extends TestedSuite {
  readonly trials: readonly LiveTrial[];
}

/** A suite that could not be tested, for example because its file is being edited. */
export interface UntestedSuite {
  readonly file: string;
  readonly problem: readonly string[];
  readonly exitCode: number;
}

export type Outcome = WatchedTest | UntestedSuite;

export function isTested(outcome: Outcome): outcome is WatchedTest {
  return 'trials' in outcome;
}

export function watchScreen(
  outcomes: readonly Outcome[],
  screen: LiveScreen,
  status: string,
): string[] {
  const wrap = sentenceWrapper(screen);
  const last = wrap(status);
  const tested = outcomes.filter(isTested);
  const untested = outcomes.filter((one): one is UntestedSuite => !isTested(one));
  const problems = untested.flatMap(({ file, problem }) =>
    problem.flatMap((line, at) => wrap(at === 0 ? `${file}: ${line}` : line)),
  );
  const reasons = tested.flatMap((one) => whyOf(one, tested.length > 1, screen.ascii, wrap));
  // The reasons of failures get up to half of the window's rows, plus the rows that the cases do
  // not use.
  const freeRows = Math.max(2, screen.rows - last.length);
  const forCases = Math.max(
    1,
    freeRows - Math.min(problems.length + reasons.length, freeRows >> 1) - 1,
  );
  const cases = liveLines(named(tested), { ...screen, rows: forCases, failingFirst: true });
  const above = [...problems, ...cases];
  const below = reasons.length === 0 ? [] : ['', ...reasons];
  return [...cutTo([...above, ...below], freeRows), ...last];
}

function named(tested: readonly WatchedTest[]): LiveTrial[] {
  return tested.flatMap(({ name, trials }) =>
    trials.map((trial) => ({
      ...trial,
      // Cases of two suites may have the same id, so the suite's name is added.
      caseId: `${name} ${trial.caseId ?? trial.testCaseId ?? trial.title}`,
      title: tested.length < 2 ? titleOf(trial) : `${name}: ${titleOf(trial)}`,
    })),
  );
}

function titleOf({ title, caseId, testCaseId }: LiveTrial): string {
  return title ?? caseId ?? testCaseId ?? 'case';
}

/**
 * Changed tools come first, because the user is probably editing them. Stages are omitted, because
 * the line of the case shows them.
 */
function whyOf(
  one: WatchedTest,
  isOfSeveral: boolean,
  ascii: boolean,
  wrap: WrapSentence,
): string[] {
  const { summary, calls, surface } = one.decision;
  const groups = groupTrials(summary.diagnostics.items, ascii, { calls });
  const called = isOfSeveral ? `${one.name}: ` : '';
  const candidates = candidateSentences(summary, { surface }).flatMap((sentence, at) =>
    wrap(`${at === 0 ? called : ''}${plainSentence(sentence, ascii)}`, at === 0 ? '' : '  '),
  );
  const why = groups.flatMap(({ outline: { heading, facts } }) => [
    ...wrap(`${called}${plainSentence(heading, ascii)}`),
    ...facts
      .filter(({ label }) => label !== 'Trace')
      .flatMap(({ label, text }) => wrap(`${label}: ${plainSentence(text, ascii)}`, '  ')),
  ]);
  // Warnings come from the import before the run, so they do not matter after a passed run.
  const warnings = one.exitCode === exitCodes.passed ? [] : one.warnings;
  const warned = warnings.flatMap((text) => text.split('\n').flatMap((line) => wrap(line)));
  return [...candidates, ...why, ...warned];
}

function cutTo(lines: readonly string[], maxLines: number): string[] {
  if (lines.length <= maxLines) return [...lines];
  const shown = lines.slice(0, maxLines - 1);
  return [...shown, `  (${lines.length - shown.length} more lines in a larger window)`];
}
