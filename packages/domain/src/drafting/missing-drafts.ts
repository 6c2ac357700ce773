/**
 * Returns the cases of a mix that could not be drafted, for each kind in words. Kinds that the mix
 * leaves out were not requested.
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
    const why = isByRules ? reasons[bucket] : 'The model drafted no more that can be used.';
    const error = `${count(wanted, `${bucket} case`)} asked for, ${made} drafted. ${why}`;
    return [{ title: bucket, error }];
  });
}

/** The reasons why the rules draft no more. Tools without drafts are reported separately. */
const reasons: Readonly<Record<CaseBucket, string>> = {
  simple: 'Each tool that cases are drafted for has one such case.',
  multiTool: 'Such a case takes two tools about the same thing, the first of which reads.',
  multiTurn: 'Such a case takes two tools about the same thing, the first of which reads.',
  complex: 'Such a case takes three tools about the same thing, the first of which reads.',
  negative: 'There is no more small talk than this.',
};
