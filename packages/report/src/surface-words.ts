/**
 * Sentences about how the tools of two runs differ. Each difference may explain a different result.
 * Differences that affect the most failing trials come first, then those with the largest effect.
 */
import {
  count,
  quote,
  type Sentence,
  type SummaryVerdict,
  type SurfaceEffect,
  type SurfacePart,
  say,
  theirs,
} from '@proofmark/domain';

interface Touched {
  readonly failingTrials: number;
  readonly trials?: readonly string[];
}

export interface SurfaceToRender {
  readonly added: readonly ({ readonly toolName: string } & Touched)[];
  readonly removed: readonly ({ readonly toolName: string } & Touched)[];
  readonly renamed: readonly ({ readonly from: string; readonly to: string } & Touched)[];
  readonly changed: readonly ({
    readonly toolName: string;
    readonly what: SurfacePart;
    readonly path?: string | undefined;
    readonly effect: SurfaceEffect;
  } & Touched)[];
  readonly totals: Readonly<Record<'added' | 'removed' | 'renamed' | 'changed', number>>;
}

export const surfacePartWords: Readonly<Record<SurfacePart, string>> = {
  description: 'description',
  title: 'title',
  inputSchema: 'input schema',
  outputSchema: 'output schema',
  annotations: 'annotations',
};

export const surfaceEffectWords: Readonly<Record<SurfaceEffect, string>> = {
  breaking: 'asks for something else',
  narrowed: 'allows less',
  widened: 'allows more',
  words: 'says something else',
};

/**
 * The largest effect first. This order decides between differences that affect equally many failing
 * trials.
 */
const effectOrder: readonly SurfaceEffect[] = ['breaking', 'narrowed', 'widened', 'words'];

export interface DescribedDifference {
  readonly sentence: Sentence;
  readonly trials: readonly string[];
}

export function surfaceSentences(surface: SurfaceToRender): Sentence[] {
  return describeDifferences(surface).map(({ sentence }) => sentence);
}

export function describeDifferences(surface: SurfaceToRender): DescribedDifference[] {
  const { added, removed, renamed, changed } = surface;
  const all = [
    ...removed.map((one) => ({ one, rank: 0, text: say`The tool ${quote(one.toolName)} is gone` })),
    ...renamed.map((one) => ({
      one,
      rank: 1,
      text: say`The tool ${quote(one.from)} is called ${quote(one.to)} now`,
    })),
    ...changed.map((one) => ({
      one,
      rank: effectOrder.indexOf(one.effect) + 1,
      text: changeSentence(one),
    })),
    ...added.map((one) => ({ one, rank: 4, text: say`The tool ${quote(one.toolName)} is new` })),
  ];
  return all
    .sort(
      (left, right) => right.one.failingTrials - left.one.failingTrials || left.rank - right.rank,
    )
    .map(({ one, text }) => ({
      sentence: say`${text}${touch(one)}.`,
      trials: one.trials ?? [],
    }));
}

function changeSentence({
  toolName,
  what,
  path,
  effect,
}: SurfaceToRender['changed'][number]): Sentence {
  const where = path === undefined ? say`` : say` at ${theirs(path)}`;
  const isPlural = what === 'annotations';
  const does = isPlural ? 'say something else' : surfaceEffectWords[effect];
  return say`The ${surfacePartWords[what]} of ${quote(toolName)} ${does}${where}`;
}

function touch({ failingTrials }: Touched): string {
  if (failingTrials === 0) return '';
  return `; ${count(failingTrials, 'failing trial')} ${failingTrials === 1 ? 'has' : 'have'} to do with it`;
}

export function surfaceTotal({ totals }: Pick<SurfaceToRender, 'totals'>): number {
  return totals.added + totals.removed + totals.renamed + totals.changed;
}

const mostCandidates = 3;

/**
 * Returns how a failed run's tools changed, the likeliest cause first. Empty for other runs. Every
 * renderer of decisions uses these sentences.
 */
export function candidateSentences(
  { verdict }: { readonly verdict: SummaryVerdict },
  { surface }: { readonly surface?: SurfaceToRender | undefined },
): Sentence[] {
  if (verdict !== 'failed') return [];
  const total = surface === undefined ? 0 : surfaceTotal(surface);
  if (surface === undefined || total === 0) return [];
  const { added, removed, renamed, changed } = surface;
  const touched = [...added, ...removed, ...renamed, ...changed].filter(
    ({ failingTrials }) => failingTrials > 0,
  );
  const differences = `${count(total, 'difference')} from the run it is compared with`;
  if (touched.length === 0) {
    return [say`Its tools have ${differences}, and no failing trial involves one of them.`];
  }
  const named = surfaceSentences(surface).slice(0, Math.min(mostCandidates, touched.length));
  return [say`Its tools have ${differences}; candidates for the cause:`, ...named];
}
