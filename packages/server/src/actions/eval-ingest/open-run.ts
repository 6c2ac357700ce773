/**
 * The run a reporter speaks of: the one already started under its externalRunId in the suite, or a new one. The
 * first look takes no lock, since most starts of a run that many processes report to find it there.
 */
import { createHash } from 'node:crypto';
import type { BodyOf } from '@proofmark/contract';
import {
  canonicalJson,
  invalid,
  type RunSnapshot,
  resolveTerms,
  storableText,
} from '@proofmark/domain';
import type { Sql } from '../../storage/database.ts';
import { type EvalRun, findRun, findRunByExternalId } from '../../storage/eval-runs.ts';
import { insertReportedRun } from '../../storage/record-runs.ts';
import { lockReportedSuite, suiteNamed } from '../../storage/reported-suites.ts';
import { type ProjectContext, refuse } from '../action.ts';

type RunBody = BodyOf<'startEvalIngestRun'> | BodyOf<'reportEvalRun'>;

export async function findStartedRun(
  sql: Sql,
  { project }: ProjectContext,
  body: RunBody,
): Promise<EvalRun | undefined> {
  if (body.externalRunId === undefined) return undefined;
  const suite = suiteNamed(sql, {
    projectId: project.id,
    name: storableText(body.suiteName.trim()),
  });
  const run = await findRunByExternalId(sql, suite, storableText(body.externalRunId));
  if (run !== undefined) refuseOtherEvaluation(run, body);
  return run;
}

export async function openRun(
  sql: Sql,
  context: ProjectContext,
  body: RunBody,
): Promise<{ run: EvalRun; reused: boolean }> {
  const started = await findStartedRun(sql, context, body);
  if (started !== undefined) return { run: started, reused: true };
  const { project } = context;
  const suite = await lockReportedSuite(sql, {
    organizationId: project.organizationId,
    projectId: project.id,
    name: storableText(body.suiteName.trim()),
    description: storable(body.suiteDescription),
    newId: () => context.newId('evalSuite'),
  });
  const startedMeanwhile = await findStartedRun(sql, context, body);
  if (startedMeanwhile !== undefined) return { run: startedMeanwhile, reused: true };
  const id = context.newId('evalRun');
  const snapshot = takeSnapshot(body);
  await insertReportedRun(sql, {
    id,
    organizationId: project.organizationId,
    projectId: project.id,
    suiteId: suite.id,
    runNumber: suite.runCount + 1,
    verdictPolicyVersion: 'policy' in snapshot.terms ? 2 : null,
    snapshot,
    externalRunId: storable(body.externalRunId),
    evaluationConfigHash: storable(body.evaluationConfigHash),
    expectedIterations: body.expectedIterations ?? null,
    notes: storable(body.notes),
    framework: storable(body.framework),
    ci: body.ci ?? null,
    tags: (body.tags ?? []).map(storableText),
    createdBy: context.caller.account.id,
  });
  const run = await findRun(sql, project.id, id, 'forUpdate');
  if (run === undefined) throw new Error('The run is gone in the moment it was made.');
  return { run, reused: false };
}

function takeSnapshot(body: RunBody): RunSnapshot {
  return {
    terms: resolveTerms(body),
    servers: [
      ...(body.serverNames ?? []).map((name) => ({ name })),
      // The rest of a replay configuration is credentials and where to use them; none of it is kept.
      ...(body.serverReplayConfigs ?? []).map(({ serverId }) => ({ id: serverId })),
    ],
    environment: null,
    toolSurface: null,
    ...hostConfigOf(body),
  };
}

function hostConfigOf({ hostConfig, hostConfigHash }: RunBody) {
  if (hostConfig === undefined || hostConfigHash === undefined) return {};
  const found = createHash('sha256').update(canonicalJson(hostConfig)).digest('hex');
  if (found !== hostConfigHash.toLowerCase()) {
    refuse(
      invalid(
        'body.hostConfigHash',
        'hostConfigHash is not the SHA-256 of the canonical JSON of hostConfig.',
      ),
    );
  }
  return { hostConfig, hostConfigHash: found };
}

function refuseOtherEvaluation(run: EvalRun, { evaluationConfigHash }: RunBody): void {
  if (evaluationConfigHash === undefined || evaluationConfigHash === run.evaluationConfigHash)
    return;
  refuse({
    code: 'CONFLICT',
    message: 'This externalRunId was started under another evaluationConfigHash.',
    details: { runId: run.id },
  });
}

function storable(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text);
}
