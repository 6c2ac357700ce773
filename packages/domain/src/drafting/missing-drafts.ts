/**
 * Describes how many requested cases of each kind could not be drafted. Kinds that the mix omits
 * were not requested.
 */
import { count } from '../words/sentence.ts';
import {
  type CaseBucket,
  type CaseMix,
  caseBuckets,
  type DraftedCase,
  drafterId,
} from './drafted-case.ts';

export function missingDrafts(
  asked: { readonly [Bucket in keyof CaseMix]?: number | undefined } = {},
  {
    generationModel,
    drafts,
  }: { readonly generationModel: string } & {
    readonly drafts: readonly Pick<DraftedCase, 'bucket'>[];
  },
): { readonly title: string; readonly error: string }[] {
  const isByRules = generationModel === drafterId;
  return caseBuckets.flatMap((bucket) => {
    const wanted = asked[bucket] ?? 0;
    const made = drafts.filter((draft) => draft.bucket === bucket).length;
    if (made >= wanted) return [];
    const why = isByRules ? reasons[bucket] : 'The model drafted no more usable cases.';
    const error = `${count(wanted, `${bucket} case`)} requested, ${made} drafted. ${why}`;
    return [{ title: bucket, error }];
  });
}

const reasons: Readonly<Record<CaseBucket, string>> = {
  simple: 'Every tool that can be used for drafts already has one such case.',
  multiTool:
    'Such a case needs two tools for the same thing, and the first of them must only read.',
  multiTurn:
    'Such a case needs two tools for the same thing, and the first of them must only read.',
  complex:
    'Such a case needs three tools for the same thing, and the first of them must only read.',
  negative: 'No more small talk is available.',
};
