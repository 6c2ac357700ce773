/**
 * Presents the differences between the tool surfaces of two runs. Long lists and values are
 * shortened, but totals are complete.
 */
import type { OutputOf } from '@proofmark/contract';
import { surfaceDifference, surfaceReport, surfaceTotals } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import type { StoredRun } from '../../store/eval-runs.ts';
import { listFailingTrials } from '../../store/failing-trials.ts';
import { readRunPlan } from './read-run-plan.ts';
import { readTokens } from './read-tokens.ts';

type Shown = OutputOf<'compareEvalRun'>['surface'];

export interface ComparedSurfaces {
  readonly surface: Shown;
  readonly tokens: OutputOf<'compareEvalRun'>['tokens'];
}

const mostListed = 200;
const longestValue = 2000;

export async function compareSurfaces(
  sql: Sql,
  projectId: string,
  base: StoredRun,
  run: StoredRun,
): Promise<ComparedSurfaces> {
  const [was, is] = [
    await readRunPlan(sql, projectId, base),
    await readRunPlan(sql, projectId, run),
  ];
  const isListed = was.servers.length > 0 && is.servers.length > 0;
  // Failing trials are needed only to explain differences. Without a difference they are not read.
  const servers = isListed ? surfaceDifference(was.servers, is.servers) : [];
  const failing = servers.length === 0 ? [] : await listFailingTrials(sql, run.id);
  const report = surfaceReport(servers, failing);
  const surface = {
    baseRunId: base.id,
    baseHash: was.hash,
    hash: is.hash,
    added: report.added.slice(0, mostListed).map(copied),
    removed: report.removed.slice(0, mostListed).map(copied),
    renamed: report.renamed.slice(0, mostListed).map(copied),
    changed: report.changed.slice(0, mostListed).map((one) => ({
      ...copied(one),
      before: cut(one.before),
      after: cut(one.after),
    })),
    totals: surfaceTotals(report),
  };
  const tokens = { base: await readTokens(was.servers), compare: await readTokens(is.servers) };
  return { surface, tokens };
}

function copied<Row extends { readonly trials: readonly string[] }>(row: Row) {
  return { ...row, trials: [...row.trials] };
}

function cut(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= longestValue ? value : `${text.slice(0, longestValue - 1)}…`;
}
