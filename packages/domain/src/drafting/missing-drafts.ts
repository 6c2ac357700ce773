/** What a mix asked for and could not be drafted, for each kind in words. What it leaves out nobody asked for. */
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

/** Why there are no more by rules; tools that nobody may draft for are told apart from this. */
const reasons: Readonly<Record<CaseBucket, string>> = {
  simple: 'Each tool that cases are drafted for has one such case.',
  multiTool: 'Such a case takes two tools about the same thing, the first of which reads.',
  multiTurn: 'Such a case takes two tools about the same thing, the first of which reads.',
  complex: 'Such a case takes three tools about the same thing, the first of which reads.',
  negative: 'There is no more small talk than this.',
};
