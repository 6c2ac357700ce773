/**
 * The candidates of an eval run, by counting. A slice is made of graded trials, or of played ones that called a tool;
 * what a provider, a policy, a set-up or the clock ended stands in none. Of a large run not all trials are read: cases are
 * counted over all of them, and whatever takes a trace to see is counted in those that were read, and says so.
 */
import { percentile95 } from '../gates/measures.ts';
import type { AnalyzedTrial, ToolUse } from './analyzed-trial.ts';
import { type Candidate, makeCandidate, orderCandidates, type Subject } from './candidate.ts';
import { toolErrorShare } from './detectors.ts';
import { fewest, isFarAbove, medianOf, outlierOf } from './outliers.ts';

/** Of one case variant, in all trials of the run. */
export interface VariantCounts {
  readonly graded: number;
  readonly failed: number;
}

export interface CountsOfRun {
  readonly trials: number;
  readonly byVariant: ReadonlyMap<string, VariantCounts>;
}

export function detectInRun(read: readonly AnalyzedTrial[], counts: CountsOfRun): Candidate[] {
  const played = read.filter(({ wasPlayed }) => wasPlayed);
  const graded = played.filter(({ verdict }) => verdict !== undefined);
  const ofRead = [
    ...toolErrors(played),
    ...hallucinatedTools(graded),
    ...slowTools(played),
    ...costlyModels(played),
  ];
  const wasAllRead = read.length >= counts.trials;
  return orderCandidates([
    ...casesOf(graded, counts),
    ...ofRead.map((one) => (wasAllRead ? one : { ...one, isOfRead: true as const })),
  ]);
}

function casesOf(
  graded: readonly AnalyzedTrial[],
  { byVariant }: Pick<CountsOfRun, 'byVariant'>,
): Candidate[] {
  return [...groupBy(graded, ({ variantId }) => variantId).values()].flatMap((slice) => {
    const [first] = slice as [AnalyzedTrial];
    const subject = { kind: 'case_variant', id: first.variantId, label: first.variantLabel };
    const fired = slice.filter(({ verdict }) => verdict === 'failed');
    const { graded: sliceTotal, failed: affected } = byVariant.get(first.variantId) ?? {
      ...{ graded: slice.length, failed: fired.length },
    };
    const counted = { fired, slice, counts: { affected, sliceTotal } };
    return [
      ...told(makeCandidate('case_fail', subject, counted)),
      ...(affected < sliceTotal ? told(makeCandidate('flaky_case', subject, counted)) : []),
    ];
  });
}

function toolErrors(played: readonly AnalyzedTrial[]): Candidate[] {
  return [...usesByTool(played)].flatMap(([id, uses]) => {
    const failed = uses.filter(({ use }) => use.errors > 0);
    if (failed.length < toolErrorShare * uses.length) return [];
    const metric = failed.reduce((sum, { use }) => sum + use.errors, 0);
    const [fired, slice] = [failed.map(({ trial }) => trial), uses.map(({ trial }) => trial)];
    return told(makeCandidate('tool_errors', toolSubject(id, uses), { fired, slice, metric }));
  });
}

function hallucinatedTools(graded: readonly AnalyzedTrial[]): Candidate[] {
  const asked = graded.flatMap((trial) => trial.notOffered.map((name) => ({ name, trial })));
  const byName = [...groupBy(asked, ({ name }) => name)].slice(0, mostTools);
  return byName.flatMap(([name, of]) => {
    const fired = of.map(({ trial }) => trial);
    const subject = { kind: 'tool', id: name, label: name };
    return told(makeCandidate('hallucinated_tool', subject, { fired, slice: graded }));
  });
}

function slowTools(played: readonly AnalyzedTrial[]): Candidate[] {
  const tools = usesByTool(played);
  const durations = (uses: readonly UseInTrial[]) => uses.flatMap(({ use }) => use.durationsMs);
  const all = durations([...tools.values()].flat());
  const measured = [...tools].filter(([, uses]) => durations(uses).length >= fewest);
  return measured.slice(0, mostTools).flatMap(([id, uses]) => {
    const outlier = outlierOf(durations(uses), without(all, durations(uses)), percentile95);
    if (outlier === undefined) return [];
    const slow = uses.filter(({ use }) => use.durationsMs.some((ms) => isFarAbove(ms, outlier)));
    return told(
      makeCandidate('latency_outlier', toolSubject(id, uses), {
        fired: slow.map(({ trial }) => trial),
        slice: uses.map(({ trial }) => trial),
        metric: outlier.value,
      }),
    );
  });
}

/** A reporter chooses the names of tools, and each is held against all others. */
const mostTools = 100;

/** What is left of the values when these are taken out of them, each once. */
function without(values: readonly number[], taken: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const value of taken) counts.set(value, (counts.get(value) ?? 0) + 1);
  return values.filter((value) => {
    const count = counts.get(value) ?? 0;
    if (count > 0) counts.set(value, count - 1);
    return count === 0;
  });
}

function costlyModels(played: readonly AnalyzedTrial[]): Candidate[] {
  const counted = played.filter(({ model, tokensUsed }) => model !== null && tokensUsed !== null);
  const tokens = (trials: readonly AnalyzedTrial[]) =>
    trials.map(({ tokensUsed }) => tokensUsed ?? 0);
  return [...groupBy(counted, ({ model }) => model ?? '')].flatMap(([model, slice]) => {
    const rest = counted.filter((trial) => trial.model !== model);
    const outlier = outlierOf(tokens(slice), tokens(rest), medianOf);
    if (outlier === undefined) return [];
    const fired = slice.filter(({ tokensUsed }) => isFarAbove(tokensUsed ?? 0, outlier));
    const subject = { kind: 'model', id: model, label: model };
    return told(makeCandidate('token_outlier', subject, { fired, slice, metric: outlier.value }));
  });
}

interface UseInTrial {
  readonly trial: AnalyzedTrial;
  readonly use: ToolUse;
}

function usesByTool(played: readonly AnalyzedTrial[]): Map<string, UseInTrial[]> {
  const uses = played.flatMap((trial) => trial.tools.map((use) => ({ trial, use })));
  return groupBy(uses, ({ use }) => toolIdOf(use));
}

/** The name of a tool alone where nobody recorded whose it is. */
export function toolIdOf({ serverId, toolName }: Pick<ToolUse, 'serverId' | 'toolName'>): string {
  return serverId === undefined ? toolName : `${serverId}.${toolName}`;
}

function toolSubject(id: string, [first]: readonly UseInTrial[]): Subject {
  return { kind: 'tool', id, label: first?.use.toolName ?? id };
}

function told(candidate: Candidate | undefined): Candidate[] {
  return candidate === undefined ? [] : [candidate];
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
