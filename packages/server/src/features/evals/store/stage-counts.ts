import type { OutcomeGroup, StoredChain, TrialOutcome } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';

export interface VariantOutcomes {
  readonly caseId: string | null;
  readonly declaredCaseId: string | null;
  readonly title: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly groups: readonly OutcomeGroup[];
}

type CountedRow = Omit<VariantOutcomes, 'groups'> &
  OutcomeGroup & { readonly place: number } & Variants;

interface Variants {
  readonly failedVariants: number;
  readonly notGradedVariants: number;
  readonly toComeVariants: number;
  readonly passedVariants: number;
}

/**
 * Returns the stage counts of at most `most` variants, failed ones first, and the number of all
 * variants by worst outcome. A case without an id is identified by its title.
 */
export async function countStages(
  sql: Sql,
  runId: string,
  most: number,
): Promise<{
  readonly outcomes: Readonly<Record<TrialOutcome, number>>;
  readonly variants: readonly VariantOutcomes[];
}> {
  const rows = await sql<CountedRow[]>`
    with counted as (
      select case_id, declared_case_id, named, model, provider, outcome, stage, min(title) as title,
        count(*)::integer as trials, min(ordinal) as first,
        json_build_array(case_id, declared_case_id, named, model, provider)::text as variant
      from (
        select case_id, declared_case_id, model, provider, ordinal, title,
          case when case_id is null and declared_case_id is null then title end as named,
          case when result = 'passed' then 'passed' when result = 'failed' then 'failed'
            when chain is null and status in ('pending', 'running') then 'toCome' else 'notGraded'
          end as outcome,
          case when result is distinct from 'passed'
            then substring(chain from '"firstFailedStage":"([A-Za-z]+)"') end as stage
        from eval_iterations where run_id = ${runId}
      ) told
      group by case_id, declared_case_id, named, model, provider, outcome, stage
    ), ended as (
      select variant, min(first) as first, case when bool_or(outcome = 'failed') then 0
        when bool_or(outcome = 'notGraded') then 1 when bool_or(outcome = 'toCome') then 2 else 3
        end as worst
      from counted group by variant
    ), listed as (
      select variant, count(*) filter (where worst = 0) over ()::integer as failed_variants,
        count(*) filter (where worst = 1) over ()::integer as not_graded_variants,
        count(*) filter (where worst = 2) over ()::integer as to_come_variants,
        count(*) filter (where worst = 3) over ()::integer as passed_variants,
        row_number() over (order by least(worst, 2), first)::integer as place
      from ended order by place limit ${most}
    )
    select case_id, declared_case_id, title, model, provider, outcome, stage, trials, first, place,
      failed_variants, not_graded_variants, to_come_variants, passed_variants
    from listed join counted using (variant) order by place, first`;
  const byPlace = new Map<number, VariantOutcomes & { readonly groups: OutcomeGroup[] }>();
  for (const row of rows) {
    const { place, outcome, stage, trials, first } = row;
    const { caseId, declaredCaseId, title, model, provider } = row;
    const variant = { caseId, declaredCaseId, title, model, provider };
    const known = byPlace.get(place) ?? { ...variant, groups: [] };
    known.groups.push({ outcome, stage, trials, first });
    byPlace.set(place, known);
  }
  const outcomes = {
    failed: rows[0]?.failedVariants ?? 0,
    notGraded: rows[0]?.notGradedVariants ?? 0,
    toCome: rows[0]?.toComeVariants ?? 0,
    passed: rows[0]?.passedVariants ?? 0,
  };
  return { outcomes, variants: [...byPlace.values()] };
}

export async function readChainsAt(
  sql: Sql,
  runId: string,
  ordinals: readonly number[],
): Promise<ReadonlyMap<number, StoredChain>> {
  const rows = await sql<{ ordinal: number; chain: string }[]>`
    select ordinal, chain from eval_iterations
    where run_id = ${runId} and ordinal = any (${ordinals}) and chain is not null`;
  return new Map(
    rows.map(({ ordinal, chain }) => [ordinal, readRecord(chain) ?? { stageResults: null }]),
  );
}
