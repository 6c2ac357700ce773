/**
 * Decides how many cases of each kind to draft. Kinds that a mix omits get their default number. A
 * mix of only zeros counts as no mix. Without a mix, the mode decides: the default mix, or only
 * negative cases.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { type CaseMix, caseBuckets } from './drafted-case.ts';

export type GenerationMode = 'normal' | 'negative';

export const mostDraftedCases = 25;

export function resolveMix(
  mode: GenerationMode,
  asked: { readonly [Bucket in keyof CaseMix]?: number | undefined } = {},
): { readonly mix: CaseMix } | { readonly refusal: Refusal } {
  const isStated = caseBuckets.some((bucket) => (asked[bucket] ?? 0) > 0);
  if (!isStated) return { mix: mode === 'negative' ? negativeMix : defaultMix };
  const mix = Object.fromEntries(
    caseBuckets.map((bucket) => [bucket, asked[bucket] ?? defaultMix[bucket]]),
  ) as CaseMix;
  const count = caseBuckets.reduce((sum, bucket) => sum + mix[bucket], 0);
  if (count <= mostDraftedCases) return { mix };
  const message = `This mix makes ${count} cases, including the defaults of the kinds that it leaves out; at most ${mostDraftedCases} are made at once.`;
  return { refusal: invalid('body.caseMix', message) };
}

const defaultMix: CaseMix = { simple: 3, multiTool: 1, multiTurn: 1, complex: 0, negative: 1 };
const negativeMix: CaseMix = { simple: 0, multiTool: 0, multiTurn: 0, complex: 0, negative: 3 };
