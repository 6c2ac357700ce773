/**
 * Compares the actual results of a row with the required ones. Returns one line each for the table,
 * and a sentence for each difference.
 */
import type { Answer, ExpectedTrial, RunSituation, SeenRun } from './situation.ts';

export interface Compared {
  readonly expected: string;
  readonly got: string;
  readonly problems: readonly string[];
}

export async function compareRun(row: RunSituation, seen: SeenRun): Promise<Compared> {
  const { verdict, reasons, trials } = row.expected;
  const wanted = trials.flatMap((trial) => Array.from({ length: trial.times ?? 1 }, () => trial));
  const problems: string[] = [];
  const expected = `${verdict}: ${tally(wanted.map(factsOfExpected))}`;
  const got = `${seen.summary.verdict}: ${tally(seen.trials.map(factsOfTrial))}`;
  if (expected !== got) problems.push('The verdict or a trial is another.');
  if (reasons !== undefined) {
    const given = seen.summary.decision?.reasons;
    if (JSON.stringify(given) !== JSON.stringify(reasons)) {
      problems.push(`The reasons are ${JSON.stringify(given)}, not ${JSON.stringify(reasons)}.`);
    }
  }
  for (const trial of seen.trials) {
    const matchingTrial = trials.find(
      (one) => isOf(one, trial) && factsOfExpected(one) === factsOfTrial(trial),
    );
    if (matchingTrial !== undefined) problems.push(...wordProblems(matchingTrial, trial, seen));
    if (trial.stageResultsUnverified === true) problems.push('The chain was stored unverified.');
    problems.push(...typoProblems(trial, seen));
  }
  for (const problem of (await row.also?.(seen)) ?? []) problems.push(problem);
  return { expected, got, problems: [...new Set(problems)] };
}

function isOf({ of }: ExpectedTrial, trial: Answer): boolean {
  return of === undefined || trial.title === of;
}

function factsOfExpected(expected: ExpectedTrial): string {
  const { status, result, stage, reason, category } = expected;
  return [`${status}/${result ?? '-'}`, stage, reason, category].filter(Boolean).join(' ');
}

export function factsOfTrial(trial: Answer): string {
  const failed = trial.stageResults?.find(({ state }: Answer) => state === 'failed');
  const { status, result, firstFailedStage, failureCategory } = trial;
  return [`${status}/${result ?? '-'}`, firstFailedStage, failed?.reason, failureCategory]
    .filter(Boolean)
    .join(' ');
}

function tally(facts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const fact of facts) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  return [...counts]
    .map(([fact, count]) => (count === 1 ? fact : `${count} × ${fact}`))
    .sort()
    .join(', ');
}

function wordProblems(expected: ExpectedTrial, trial: Answer, { summary }: SeenRun): string[] {
  const problems: string[] = [];
  for (const [stage, reason] of Object.entries(expected.rows ?? {})) {
    const row = trial.stageResults?.find((one: Answer) => one.stage === stage);
    if (![reason].flat().includes(row?.reason))
      problems.push(`${stage} says ${row?.reason}, not ${reason}.`);
  }
  const item = summary.diagnostics.items.find((one: Answer) => one.iterationId === trial.id);
  const failed = trial.stageResults?.find(({ state }: Answer) => state === 'failed');
  const texts = [
    trial.error,
    item?.observed?.failure,
    ...(failed?.evidence?.predicateReasons ?? []),
  ];
  const text = texts.filter(Boolean).join('\n');
  for (const words of expected.says ?? []) {
    if (!holds(text, words)) problems.push(`Nothing says ${words}: ${text.slice(0, 300)}`);
  }
  for (const words of expected.never ?? []) {
    if (holds(text, words)) problems.push(`It says ${words}: ${text.slice(0, 300)}`);
  }
  for (const words of expected.next ?? []) {
    const next = item?.advice ?? item?.nextAction ?? '';
    if (!words.test(next)) problems.push(`The next action does not say ${words}: ${next}`);
  }
  return problems;
}

/**
 * Finds numbers that were not rounded, and sentences that end twice, in every text about a trial.
 */
function typoProblems(trial: Answer, { summary }: SeenRun): string[] {
  const item = summary.diagnostics.items.find((one: Answer) => one.iterationId === trial.id);
  const warned = (trial.warnings ?? []).map(({ message }: Answer) => message);
  const texts = [trial.error, item?.observed?.failure, item?.advice, item?.nextAction, ...warned];
  return texts
    .filter((text) => /\d\.\d{4,}|(^|[^.])\.\.([^./]|$)/.test(text ?? ''))
    .map((text) => `It is not worded well: ${String(text).slice(0, 300)}`);
}

function holds(text: string, words: string | RegExp): boolean {
  return typeof words === 'string' ? text.includes(words) : words.test(text);
}

export function compareFacts(
  expected: Readonly<Record<string, unknown>>,
  got: Readonly<Record<string, unknown>>,
): Compared {
  const problems = Object.entries(expected).flatMap(([name, value]) =>
    JSON.stringify(got[name]) === JSON.stringify(value)
      ? []
      : [`${name} is ${JSON.stringify(got[name])}, not ${JSON.stringify(value)}.`],
  );
  const shown = Object.fromEntries(Object.keys(expected).map((name) => [name, got[name] ?? null]));
  return { expected: oneLine(expected), got: oneLine(shown), problems };
}

function oneLine(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
