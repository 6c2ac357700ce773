import type { OutputOf } from '@proofmark/contract';
import {
  type CaseContentChange,
  caseContentChanges,
  firstDifferences,
  type Json,
  type PartChange,
  type PlannedJudge,
  partChanges,
  type ServerOfRun,
  surfaceDifference,
} from '@proofmark/domain';
import type { Action } from '../../../../platform/operations/action.ts';
import { findBaseRun } from './find-base-run.ts';
import { findRun } from './find-run.ts';
import { readRunPlan } from './read-run-plan.ts';

type Differences = OutputOf<'getEvalRunDifferences'>;

const mostTools = 200;
const mostCases = 100;

export const getEvalRunDifferences: Action<'getEvalRunDifferences'> = async (
  context,
  { params, query },
): Promise<Differences> => {
  const projectId = context.project.id;
  return context.tenant(async (sql) => {
    const run = await findRun(sql, projectId, params.runId);
    const base = await findBaseRun(sql, projectId, run, query.baseRunId);
    const [was, is] = [
      await readRunPlan(sql, projectId, base),
      await readRunPlan(sql, projectId, run),
    ];
    const isListed = was.servers.length > 0 && is.servers.length > 0;
    const servers = isListed ? surfaceDifference(was.servers, is.servers) : [];
    const cases = caseContentChanges(was.plan?.cases ?? [], is.plan?.cases ?? []);
    const isKnown = was.plan !== undefined && is.plan !== undefined;
    return {
      runId: run.id,
      baseRunId: base.id,
      tools: {
        base: presentSurface(was.servers),
        compare: presentSurface(is.servers),
        total: servers.reduce((sum, { tools }) => sum + tools.length, 0),
        servers: firstDifferences(servers, mostTools).map(({ tools, ...server }) => ({
          ...server,
          tools: tools.map((tool) => ({ ...tool, parts: [...tool.parts] })),
        })),
      },
      cases: {
        isKnown,
        total: cases.length,
        items: cases.slice(0, mostCases).map(presentCase),
      },
      judge: isKnown ? judgeChanges(was.plan?.judge, is.plan?.judge) : [],
    };
  });
};

function presentSurface(servers: readonly ServerOfRun[]): Differences['tools']['base'] {
  return {
    servers: servers.length,
    tools: servers.reduce((sum, { tools }) => sum + tools.length, 0),
    unsteadyServers: servers.filter(({ lists }) => lists > 1).map(({ name, id }) => name ?? id),
  };
}

function presentCase({ caseKey, title, asked, graded }: CaseContentChange) {
  return { caseKey, title, asked: [...asked], graded: [...graded] };
}

function judgeChanges(was: PlannedJudge | undefined, is: PlannedJudge | undefined): PartChange[] {
  return partChanges({ ...was } as Json, { ...is } as Json);
}
