import { randomBytes } from 'node:crypto';
import {
  cutSlices,
  defaultMatchOptions,
  lexicalModelId,
  makeId,
  type PlannedCase,
  planTrials,
  type ReplayTermsOfRun,
  type RunPlan,
  resolveTerms,
  type StatedTerms,
  summarizeReplay,
} from '@proofmark/domain';
import { insertRunPlan } from '../../server/src/features/evals/store/run-plans.ts';
import { addSlices } from '../../server/src/features/evals/store/run-work.ts';
import type { TestDatabase } from './test-database.ts';

export interface LaunchedRun {
  readonly organizationId: string;
  readonly projectId: string;
  readonly suiteId: string;
  readonly runId: string;
  readonly plan: RunPlan;
  readonly trialCount: number;
}

export async function insertLaunchedRun(
  { owner }: Pick<TestDatabase, 'owner'>,
  ids: { readonly organizationId: string; readonly projectId: string },
  shape: {
    readonly cases: number;
    readonly repetitions: number;
    readonly atOnce?: number;
    readonly terms?: StatedTerms;
    readonly replay?: ReplayTermsOfRun | undefined;
  },
): Promise<LaunchedRun> {
  const { atOnce = 4, terms = {}, replay } = shape;
  const suiteId = id('evalSuite');
  const runId = id('evalRun');
  const plan = { ...planOf(suiteId, shape), ...(replay && { replay }) };
  const trials = planTrials(plan);
  await owner.transaction(async (sql) => {
    const at = { organization_id: ids.organizationId };
    await sql`insert into eval_suites ${sql({ id: suiteId, ...at, project_id: ids.projectId, name: suiteId })}`;
    await sql`insert into eval_runs ${sql({
      id: runId,
      ...at,
      project_id: ids.projectId,
      suite_id: suiteId,
      run_number: 1,
      source: 'api',
      status: 'pending',
      expected_iterations: trials.length,
      verdict_policy_version: 2,
      replay: replay === undefined ? null : JSON.stringify(summarizeReplay(replay, [])),
      snapshot: JSON.stringify({
        terms: resolveTerms(terms),
        servers: [],
        environment: null,
        toolSurface: null,
      }),
    })}`;
    await insertRunPlan(
      sql,
      owner.vault,
      { id: runId, ...ids },
      plan,
      {},
      {
        servers: [],
        providers: [],
      },
    );
    await sql`insert into eval_iterations ${sql(
      trials.map(({ ordinal, caseIndex, trialNumber }) => ({
        run_id: runId,
        ordinal,
        id: id('evalIteration'),
        ...at,
        case_id: plan.cases[caseIndex]?.caseId ?? null,
        title: plan.cases[caseIndex]?.title ?? null,
        iteration_number: trialNumber,
        numbered: true,
        status: 'pending',
        evaluator_error: false,
        model: lexicalModelId,
        provider: 'proofmark',
        expected_tool_calls: '[]',
        actual_tool_calls: '[]',
      })),
    )}`;
    await addSlices(sql, { ...ids, runId }, cutSlices(trials.length, atOnce), atOnce);
  });
  return { ...ids, suiteId, runId, plan, trialCount: trials.length };
}

function planOf(suiteId: string, shape: { cases: number; repetitions: number }): RunPlan {
  const { cases, repetitions } = shape;
  return {
    planVersion: 1,
    suite: { id: suiteId, name: suiteId },
    cases: Array.from({ length: cases }, (_, index): PlannedCase => {
      const caseId = id('evalCase');
      return {
        caseId,
        caseKey: `declared:case-${index}`,
        declaredId: `case-${index}`,
        title: `Case ${index}`,
        isNegative: false,
        assertions: [],
        failOnToolError: true,
        matchOptions: defaultMatchOptions,
        passThreshold: 0.5,
        steps: [{ id: 'ask', kind: 'prompt', prompt: 'What is in stock?' }],
        variants: [{ model: lexicalModelId, provider: 'proofmark', repetitions }],
      };
    }),
    servers: [],
    client: { config: { modelId: lexicalModelId, clientCapabilities: {}, hostContext: {} } },
    skills: [],
    limits: { maxModelSteps: 20, trialTimeoutMs: 60_000 },
  };
}

function id(kind: Parameters<typeof makeId>[0]): string {
  return makeId(kind, Date.now(), randomBytes(10));
}
